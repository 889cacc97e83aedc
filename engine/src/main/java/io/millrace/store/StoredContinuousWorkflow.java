package io.millrace.store;

import io.millrace.instance.InstanceStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stored continuous workflow.
 *
 * @param ownership the executor that runs its trigger
 * @param run null before it was started for the first time
 * @param position of its trigger, as the trigger wrote it; null for the start
 */
public record StoredContinuousWorkflow(
    Identity identity,
    RequestedState requested,
    Ownership ownership,
    @Nullable Run run,
    Activity activity,
    @Nullable String position,
    Health health) {

  /**
   * The identity of a continuous workflow.
   *
   * @param name unique, 1 to 200 characters
   * @param executorGroup group of the executors that run it
   * @param type of the executions that its events start
   * @param settings JSON text, for people
   */
  public record Identity(String name, String executorGroup, String type, String settings) {}

  /** A request to the owner, which stops the trigger before it releases it. */
  public enum OwnerRequest {
    /** Releases the workflow, so that it is restarted. */
    RESTART,
    /** Releases the workflow for {@link Ownership#preferred}. */
    MOVE,
    /** Starts the next generation, if its conditions hold. */
    CONTINUE
  }

  /**
   * The state that operators have requested.
   *
   * @param enabled false if operators have disabled it, or its code has registered it so
   * @param request not carried out yet; null for none
   * @param revision counts changes by others than the owner
   */
  public record RequestedState(
      boolean enabled, @Nullable OwnerRequest request, int revision, Instant modified) {}

  /**
   * The owner of its trigger.
   *
   * @param executorId null for none
   * @param epoch counts the owners; writes of another epoch's owner are refused
   * @param preferred the executor that claims it first if possible; null for any
   */
  public record Ownership(@Nullable Long executorId, long epoch, @Nullable Long preferred) {}

  /**
   * A run of the trigger: the time from its opening by an owner until a restart, a continuation, or
   * the next owner.
   *
   * @param series number of the series, which are the runs since the workflow was last enabled; it
   *     counts how often that was
   * @param generation number of the run in its series, from 1
   * @param mode how it was started, such as {@code AutoStart}
   * @param reason why, such as {@code FAILOVER}
   */
  public record Run(
      long series,
      long generation,
      Instant seriesStarted,
      Instant started,
      String mode,
      String reason) {}

  /**
   * The activity of the workflow.
   *
   * @param iterations executions that have ended since the run started
   * @param fires events that have started an execution, of all runs
   * @param lastResult how the last execution ended; null before the first
   * @param executionId the execution for whose end the trigger waits; null for none
   */
  public record Activity(
      long iterations,
      long fires,
      @Nullable Instant lastFire,
      @Nullable Instant lastEnd,
      @Nullable InstanceStatus lastResult,
      @Nullable Long executionId) {}

  /**
   * The health of the workflow.
   *
   * @param failures failures in a row
   * @param backOffUntil time before which it is not started; null for none
   * @param crashLoop true if it fails repeatedly and needs attention
   * @param error of the last failure, at most 1,000 characters; null if it runs well
   * @param downSince when it stopped running although enabled; null while it runs or is disabled
   * @param debugUntil end of the debug session, in which it is not continued; null for none
   * @param debugBy user of the debug session; null for none
   */
  public record Health(
      int failures,
      @Nullable Instant backOffUntil,
      boolean crashLoop,
      @Nullable String error,
      @Nullable Instant downSince,
      @Nullable Instant debugUntil,
      @Nullable String debugBy) {}

  /** The state of a continuous workflow. The view of states in the database has the same. */
  public enum State {
    DISABLED("disabled"),
    /** Disabled, while its owner closes the trigger. */
    STOPPING("stopping"),
    /** The trigger waits for an event. */
    WAITING("waiting"),
    /** An execution runs. */
    RUNNING("running"),
    /** Enabled without an owner. */
    DOWN("down"),
    /** Failed, and without an owner until a pause is over. */
    BACKING_OFF("backingOff"),
    /** Failing repeatedly, so that it needs attention, with an owner or without. */
    CRASH_LOOP("crashLoop");

    private final String code;

    State(String code) {
      this.code = code;
    }

    /** Returns the word for it in the view, over HTTP and on pages. */
    public String code() {
      return code;
    }
  }

  public String name() {
    return identity.name;
  }

  /** Returns the state, by the first condition that holds. */
  public State state() {
    boolean owned = ownership.executorId != null;
    if (!requested.enabled) {
      return owned ? State.STOPPING : State.DISABLED;
    }
    if (health.crashLoop) {
      return State.CRASH_LOOP;
    }
    if (owned) {
      return activity.executionId == null ? State.WAITING : State.RUNNING;
    }
    return health.backOffUntil == null ? State.DOWN : State.BACKING_OFF;
  }
}
