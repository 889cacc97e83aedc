package io.millrace.store;

import io.millrace.instance.ActionType;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an operator may ask for. */
public sealed interface DeedCommand {

  /** The kind of history entry it leaves. */
  ActionType type();

  /** End as cancelled; a running handler is fenced. */
  record Cancel() implements DeedCommand {
    @Override
    public ActionType type() {
      return ActionType.CANCEL;
    }
  }

  /** Do not run until resumed. */
  record Pause() implements DeedCommand {
    @Override
    public ActionType type() {
      return ActionType.PAUSE;
    }
  }

  /** End a pause. */
  record Resume() implements DeedCommand {
    @Override
    public ActionType type() {
      return ActionType.RESUME;
    }
  }

  /** Run the current state again now, with fresh attempts. */
  record Retry() implements DeedCommand {
    @Override
    public ActionType type() {
      return ActionType.RETRY;
    }
  }

  /** Become due now. */
  record Wake() implements DeedCommand {
    @Override
    public ActionType type() {
      return ActionType.WAKE;
    }
  }

  /**
   * Go to a state.
   *
   * @param expectedState refuse unless the instance is there; null for no check
   */
  record Move(
      String to,
      InstanceStatus status,
      Due due,
      @Nullable String waitingFor,
      @Nullable String expectedState)
      implements DeedCommand {
    @Override
    public ActionType type() {
      return ActionType.MOVE;
    }
  }

  /** Change variables; null removes. JSON texts by name. */
  record EditVariables(Map<String, @Nullable String> variables) implements DeedCommand {
    @Override
    public ActionType type() {
      return ActionType.EDIT_VARIABLES;
    }
  }
}
