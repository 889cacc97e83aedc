package io.millrace.store;

import io.millrace.instance.Due;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A command of an operator. */
public sealed interface OperatorCommand {

  /** Returns the type of its history entry. */
  HistoryEntryType type();

  /** Ends the instance as cancelled; a running handler is fenced. */
  record Cancel() implements OperatorCommand {
    @Override
    public HistoryEntryType type() {
      return HistoryEntryType.CANCEL;
    }
  }

  /** Keeps the instance from running until resumed. */
  record Pause() implements OperatorCommand {
    @Override
    public HistoryEntryType type() {
      return HistoryEntryType.PAUSE;
    }
  }

  /** Ends a pause. */
  record Resume() implements OperatorCommand {
    @Override
    public HistoryEntryType type() {
      return HistoryEntryType.RESUME;
    }
  }

  /** Runs the current state again now, with fresh attempts. */
  record Retry() implements OperatorCommand {
    @Override
    public HistoryEntryType type() {
      return HistoryEntryType.RETRY;
    }
  }

  /**
   * Makes the instance due now.
   *
   * @param expectedState refuses unless the instance is in this state; null for no check
   */
  record Wake(@Nullable String expectedState) implements OperatorCommand {
    /** Creates a command without an expected state. */
    public Wake() {
      this(null);
    }

    @Override
    public HistoryEntryType type() {
      return HistoryEntryType.WAKE;
    }
  }

  /**
   * Moves the instance to a state.
   *
   * @param expectedState refuses unless the instance is in this state; null for no check
   * @param limits refuses beyond these; null for no limits
   */
  record Move(
      String to,
      InstanceStatus status,
      Due due,
      @Nullable String waitingFor,
      @Nullable String expectedState,
      @Nullable MoveLimits limits)
      implements OperatorCommand {
    /** Creates a command without limits. */
    public Move(
        String to,
        InstanceStatus status,
        Due due,
        @Nullable String waitingFor,
        @Nullable String expectedState) {
      this(to, status, due, waitingFor, expectedState, null);
    }

    @Override
    public HistoryEntryType type() {
      return HistoryEntryType.MOVE;
    }
  }

  /**
   * The limits of a move: the declared transitions, and children that have not ended.
   *
   * @param transitions the target states by source; a state that is missing may go to any state
   * @param forced true to move beyond the limits, which the history then records
   */
  record MoveLimits(Map<String, Set<String>> transitions, boolean forced) {}

  /**
   * Changes variables; null removes. JSON texts by name.
   *
   * @param maxBytes the maximum number of bytes that the edit may bring all variables of the
   *     instance to
   */
  record EditVariables(Map<String, @Nullable String> variables, long maxBytes)
      implements OperatorCommand {
    /** Creates a command without a limit. */
    public EditVariables(Map<String, @Nullable String> variables) {
      this(variables, Long.MAX_VALUE);
    }

    /**
     * Returns the bytes of the variables after the edit if they are over the limit and more than
     * before; 0 if the edit is allowed. An instance that is over the limit already can so be
     * reduced in several edits.
     *
     * @param before the bytes of all variables
     * @param kept the bytes of those that the edit does not name
     */
    public long excess(long before, long kept) {
      long after = kept + variables.values().stream().mapToLong(InboxRules::bytes).sum();
      return after > maxBytes && after > before ? after : 0;
    }

    @Override
    public HistoryEntryType type() {
      return HistoryEntryType.EDIT_VARIABLES;
    }
  }
}
