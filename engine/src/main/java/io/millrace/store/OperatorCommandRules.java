package io.millrace.store;

import static io.millrace.instance.HistoryEntryType.CANCEL;
import static io.millrace.instance.HistoryEntryType.EDIT_VARIABLES;
import static io.millrace.instance.HistoryEntryType.MOVE;
import static io.millrace.instance.HistoryEntryType.PAUSE;
import static io.millrace.instance.HistoryEntryType.RESUME;
import static io.millrace.instance.HistoryEntryType.RETRY;
import static io.millrace.instance.HistoryEntryType.WAKE;
import static io.millrace.instance.InstanceStatus.CANCELLED;
import static io.millrace.instance.InstanceStatus.CREATED;
import static io.millrace.instance.InstanceStatus.EXECUTING;
import static io.millrace.instance.InstanceStatus.FAILED;
import static io.millrace.instance.InstanceStatus.IN_PROGRESS;
import static io.millrace.instance.InstanceStatus.MANUAL;
import static io.millrace.instance.InstanceStatus.PAUSED;

import io.millrace.instance.Due;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.Position;
import io.millrace.instance.WorkflowInstance;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The commands allowed in each status, and their effects on an instance. Pure; used by every store.
 */
public final class OperatorCommandRules {

  private static final Map<HistoryEntryType, Set<InstanceStatus>> ALLOWED =
      new EnumMap<>(HistoryEntryType.class);

  static {
    allow(CANCEL, CREATED, IN_PROGRESS, EXECUTING, PAUSED, MANUAL, FAILED);
    allow(PAUSE, CREATED, IN_PROGRESS, EXECUTING);
    allow(RESUME, PAUSED);
    allow(RETRY, CREATED, IN_PROGRESS, MANUAL, FAILED);
    allow(WAKE, CREATED, IN_PROGRESS, EXECUTING);
    allow(MOVE, CREATED, IN_PROGRESS, PAUSED, MANUAL, FAILED);
    allow(EDIT_VARIABLES, CREATED, IN_PROGRESS, PAUSED, MANUAL, FAILED);
  }

  /** Prefix of the reason of a move beyond its limits. */
  private static final String FORCED = "forced";

  private OperatorCommandRules() {}

  /** The effect of a command on an instance. */
  public sealed interface Effect {

    /**
     * An immediate change.
     *
     * @param due null to keep the due time
     * @param fresh true to count attempts and recoveries from zero
     * @param newVisit true if a new visit of the state begins
     */
    record Apply(
        String state,
        InstanceStatus status,
        @Nullable Due due,
        @Nullable String waitingFor,
        boolean fresh,
        boolean newVisit)
        implements Effect {

      /** Returns the stored awaited event. */
      public @Nullable String awaited() {
        return SaveRequest.Target.awaited(status, waitingFor);
      }
    }

    /** A message for the inbox, on which the holder acts after its attempt. */
    record Enqueue(InboxMessage.Kind kind) implements Effect {}

    /**
     * A refusal.
     *
     * @param inOtherState true if only because the instance is not in the expected state
     */
    record Refuse(String message, boolean inOtherState) implements Effect {}
  }

  /** Returns the effect of {@code command} on {@code instance}. */
  public static Effect effectOf(WorkflowInstance instance, OperatorCommand command) {
    InstanceStatus status = instance.status();
    Set<InstanceStatus> allowed = ALLOWED.getOrDefault(command.type(), Set.of());
    if (!allowed.contains(status)) {
      return new Effect.Refuse(refusal(instance, command.type(), allowed), false);
    }
    String expectedState = expectedState(command);
    if (expectedState != null && !expectedState.equals(instance.state())) {
      return new Effect.Refuse(inOtherState(instance, expectedState), true);
    }
    Position now = instance.position();
    boolean executing = status == EXECUTING;
    return switch (command) {
      case OperatorCommand.Cancel c -> stay(now, CANCELLED, new Due.Never(), null);
      case OperatorCommand.Pause c ->
          executing
              ? new Effect.Enqueue(InboxMessage.Kind.PAUSE)
              : stay(now, PAUSED, null, now.waitingFor());
      case OperatorCommand.Resume c -> stay(now, IN_PROGRESS, null, now.waitingFor());
      case OperatorCommand.Retry c ->
          new Effect.Apply(now.state(), IN_PROGRESS, Due.NOW, now.waitingFor(), true, false);
      case OperatorCommand.Wake c ->
          executing
              ? new Effect.Enqueue(InboxMessage.Kind.WAKE)
              : stay(now, now.status(), Due.NOW, now.waitingFor());
      case OperatorCommand.Move move -> move(instance, move);
      case OperatorCommand.EditVariables c -> stay(now, now.status(), null, now.waitingFor());
    };
  }

  /**
   * Returns true if the instance has ended or waits for an operator, so that its schedule does not
   * count it as running.
   */
  public static boolean isGivenUp(InstanceStatus status) {
    return status.isTerminal() || status == MANUAL;
  }

  /**
   * Returns the stored reason. It records that a move was forced, and keeps the failure of a
   * cancelled instance.
   */
  public static @Nullable String reason(
      WorkflowInstance before, OperatorCommand command, OperatorAction action) {
    String reason = action.reason();
    if (isForced(before, command)) {
      return reason == null ? FORCED : FORCED + ": " + reason;
    }
    String failure = before.position().reason();
    if (failure == null
        || !(command instanceof OperatorCommand.Cancel)
        || before.status() != FAILED) {
      return reason;
    }
    return reason == null ? failure : failure + " (" + reason + ")";
  }

  /** Returns true if the command goes beyond a limit that would otherwise refuse it. */
  public static boolean isForced(WorkflowInstance before, OperatorCommand command) {
    return command instanceof OperatorCommand.Move move && breach(before, move) != null;
  }

  private static Effect move(WorkflowInstance instance, OperatorCommand.Move move) {
    String breach = breach(instance, move);
    if (breach != null && move.limits() != null && !move.limits().forced()) {
      return new Effect.Refuse(breach, false);
    }
    return new Effect.Apply(move.to(), move.status(), move.due(), move.waitingFor(), true, true);
  }

  /** Returns the limit that a move exceeds, as a message; null for none. */
  private static @Nullable String breach(WorkflowInstance instance, OperatorCommand.Move move) {
    if (move.limits() == null) {
      return null;
    }
    Set<String> permitted = move.limits().transitions().get(instance.state());
    if (permitted != null && !permitted.contains(move.to())) {
      return "Workflow '"
          + instance.type()
          + "' version "
          + instance.version()
          + " does not permit the transition from state '"
          + instance.state()
          + "' to state '"
          + move.to()
          + "'; it permits "
          + permitted
          + ". Move instance "
          + instance.id()
          + " to one of them, or force the move.";
    }
    boolean runs = move.status() == IN_PROGRESS && move.waitingFor() == null;
    if (runs && instance.children().open() > 0) {
      return instance.children().open()
          + " of its "
          + instance.children().total()
          + " children run, and instance "
          + instance.id()
          + " would not wait for them in state '"
          + move.to()
          + "'. Let them end or cancel them first, or force the move.";
    }
    return null;
  }

  private static @Nullable String expectedState(OperatorCommand command) {
    return switch (command) {
      case OperatorCommand.Move move -> move.expectedState();
      case OperatorCommand.Wake wake -> wake.expectedState();
      default -> null;
    };
  }

  private static String inOtherState(WorkflowInstance instance, String expected) {
    return "Instance "
        + instance.id()
        + " is in state '"
        + instance.state()
        + "', not in '"
        + expected
        + "' as expected. Look at it again before you repeat this.";
  }

  private static Effect stay(
      Position now, InstanceStatus status, @Nullable Due due, @Nullable String waitingFor) {
    return new Effect.Apply(now.state(), status, due, waitingFor, false, false);
  }

  private static String refusal(
      WorkflowInstance instance, HistoryEntryType action, Set<InstanceStatus> allowed) {
    return "Instance "
        + instance.id()
        + " is "
        + instance.status().code()
        + "; "
        + action.code()
        + " is possible only when it is one of "
        + allowed.stream().map(InstanceStatus::code).toList()
        + (instance.status() == EXECUTING
            ? ". Try again after its current attempt, or cancel it."
            : ".");
  }

  private static void allow(HistoryEntryType action, InstanceStatus first, InstanceStatus... more) {
    ALLOWED.put(action, EnumSet.of(first, more));
  }
}
