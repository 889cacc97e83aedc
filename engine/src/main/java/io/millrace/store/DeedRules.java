package io.millrace.store;

import static io.millrace.instance.ActionType.CANCEL;
import static io.millrace.instance.ActionType.EDIT_VARIABLES;
import static io.millrace.instance.ActionType.MOVE;
import static io.millrace.instance.ActionType.PAUSE;
import static io.millrace.instance.ActionType.RESUME;
import static io.millrace.instance.ActionType.RETRY;
import static io.millrace.instance.ActionType.WAKE;
import static io.millrace.instance.InstanceStatus.CANCELLED;
import static io.millrace.instance.InstanceStatus.CREATED;
import static io.millrace.instance.InstanceStatus.EXECUTING;
import static io.millrace.instance.InstanceStatus.FAILED;
import static io.millrace.instance.InstanceStatus.IN_PROGRESS;
import static io.millrace.instance.InstanceStatus.MANUAL;
import static io.millrace.instance.InstanceStatus.PAUSED;

import io.millrace.instance.ActionType;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Position;
import io.millrace.instance.Signal;
import io.millrace.instance.WorkflowInstance;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which deed is possible in which status, and what it makes of an instance. Pure; every store asks
 * here.
 */
public final class DeedRules {

  private static final Map<ActionType, Set<InstanceStatus>> ALLOWED =
      new EnumMap<>(ActionType.class);

  static {
    allow(CANCEL, CREATED, IN_PROGRESS, EXECUTING, PAUSED, MANUAL, FAILED);
    allow(PAUSE, CREATED, IN_PROGRESS, EXECUTING);
    allow(RESUME, PAUSED);
    allow(RETRY, CREATED, IN_PROGRESS, MANUAL, FAILED);
    allow(WAKE, CREATED, IN_PROGRESS, EXECUTING);
    allow(MOVE, CREATED, IN_PROGRESS, PAUSED, MANUAL, FAILED);
    allow(EDIT_VARIABLES, CREATED, IN_PROGRESS, PAUSED, MANUAL, FAILED);
  }

  private DeedRules() {}

  /** What a deed makes of an instance. */
  public sealed interface Plan {

    /**
     * Write this.
     *
     * @param due null to leave the due time as it is
     * @param fresh true to count attempts and recoveries from zero
     * @param entering true when the state is entered anew
     */
    record Apply(
        String state,
        InstanceStatus status,
        @Nullable Due due,
        @Nullable String waitingFor,
        boolean fresh,
        boolean entering)
        implements Plan {

      /** Returns what is stored as awaited, by the rule of {@link Save.Target#awaited}. */
      public @Nullable String awaited() {
        return status.isTerminal() && status != FAILED ? null : waitingFor;
      }
    }

    /** Put this into the inbox; the holder acts on it after its step. */
    record Enqueue(Signal.Kind kind) implements Plan {}

    /** Refuse. */
    record Refuse(String message) implements Plan {}
  }

  /** What {@code command} makes of {@code instance}. */
  public static Plan plan(WorkflowInstance instance, DeedCommand command) {
    InstanceStatus status = instance.status();
    Set<InstanceStatus> allowed = ALLOWED.getOrDefault(command.type(), Set.of());
    if (!allowed.contains(status)) {
      return new Plan.Refuse(refusal(instance, command.type(), allowed));
    }
    Position now = instance.position();
    boolean executing = status == EXECUTING;
    return switch (command) {
      case DeedCommand.Cancel c -> stay(now, CANCELLED, new Due.Never(), null);
      case DeedCommand.Pause c ->
          executing
              ? new Plan.Enqueue(Signal.Kind.PAUSE)
              : stay(now, PAUSED, null, now.waitingFor());
      case DeedCommand.Resume c -> stay(now, IN_PROGRESS, null, now.waitingFor());
      case DeedCommand.Retry c ->
          new Plan.Apply(now.state(), IN_PROGRESS, Due.NOW, now.waitingFor(), true, false);
      case DeedCommand.Wake c ->
          executing
              ? new Plan.Enqueue(Signal.Kind.WAKE)
              : stay(now, now.status(), Due.NOW, now.waitingFor());
      case DeedCommand.Move move -> move(instance, move);
      case DeedCommand.EditVariables c -> stay(now, now.status(), null, now.waitingFor());
    };
  }

  /** True when it has ended, or waits for a person: its schedule does not take it for running. */
  public static boolean isGivenUp(InstanceStatus status) {
    return status.isTerminal() || status == MANUAL;
  }

  private static Plan move(WorkflowInstance instance, DeedCommand.Move move) {
    if (move.expectedState() != null && !move.expectedState().equals(instance.state())) {
      return new Plan.Refuse(
          "Instance "
              + instance.id()
              + " is in state '"
              + instance.state()
              + "', not in '"
              + move.expectedState()
              + "' as expected. Look at it again before moving it.");
    }
    return new Plan.Apply(move.to(), move.status(), move.due(), move.waitingFor(), true, true);
  }

  private static Plan stay(
      Position now, InstanceStatus status, @Nullable Due due, @Nullable String waitingFor) {
    return new Plan.Apply(now.state(), status, due, waitingFor, false, false);
  }

  private static String refusal(
      WorkflowInstance instance, ActionType deed, Set<InstanceStatus> allowed) {
    return "Instance "
        + instance.id()
        + " is "
        + instance.status().code()
        + "; "
        + deed.code()
        + " is possible only when it is one of "
        + allowed.stream().map(InstanceStatus::code).toList()
        + (instance.status() == EXECUTING
            ? ". Try again after its current step, or cancel it."
            : ".");
  }

  private static void allow(ActionType deed, InstanceStatus first, InstanceStatus... more) {
    ALLOWED.put(deed, EnumSet.of(first, more));
  }
}
