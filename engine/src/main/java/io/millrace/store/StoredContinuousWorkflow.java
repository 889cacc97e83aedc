package io.millrace.store;

import io.millrace.instance.InstanceStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A continuous workflow, as its row tells.
 *
 * @param ownership which executor runs its trigger
 * @param run null before it was started for the first time
 * @param position where its trigger stands, as the trigger wrote it; null for the beginning
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
   * @param executorGroup whose executors run it
   * @param type of the executions that its events start
   * @param settings JSON text, for people
   */
  public record Identity(String name, String executorGroup, String type, String settings) {}

  /** The desired state: enabled or disabled. */
  public enum DesiredState {
    ON,
    OFF
  }

  /** A request to the owner, which stops the trigger before it releases it. */
  public enum OwnerRequest {
    /** Give it up, so that it is started again. */
    RESTART,
    /** Give it up for {@link Ownership#preferred}. */
    MOVE,
    /** Begin the next generation, when the conditions of that hold. */
    CONTINUE
  }

  /**
   * The state that operators have requested.
   *
   * @param request not carried out yet; null for none
   * @param revision counts what others than the owner have changed
   */
  public record RequestedState(
      DesiredState desired, @Nullable OwnerRequest request, int revision, Instant modified) {}

  /**
   * The owner of its trigger.
   *
   * @param executorId null for nobody
   * @param epoch counts the owners; what another epoch's owner writes is refused
   * @param preferred the executor that shall take it when it can; null for any
   */
  public record Ownership(@Nullable Long executorId, long epoch, @Nullable Long preferred) {}

  /**
   * A run of the trigger, until a restart or a continuation.
   *
   * @param chain counts how often the workflow was switched on
   * @param generation counts the runs of the chain
   * @param mode how it was started, such as {@code AutoStart}
   * @param reason why, such as {@code FAILOVER}
   */
  public record Run(
      long chain,
      long generation,
      Instant chainStarted,
      Instant started,
      String mode,
      String reason) {}

  /**
   * The activity of the workflow.
   *
   * @param iterations executions that have ended since the run began
   * @param fires events that have started an execution, of all runs
   * @param lastResult how the last execution ended; null before the first
   * @param executionId whose end the trigger waits for; null when the cursor is in the trigger
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
   * @param restarts failures in a row
   * @param backOffUntil not started before; null when it may be
   * @param crashLoop it fails again and again, and somebody should look
   * @param error of the last failure, at most 1,000 characters; null when it runs well
   * @param downSince when it stopped running although it shall; null while it runs or shall not
   * @param debugUntil somebody looks into it, and it is not continued; null when nobody does
   * @param debugBy who looks into it; null when nobody does
   */
  public record Health(
      int restarts,
      @Nullable Instant backOffUntil,
      boolean crashLoop,
      @Nullable String error,
      @Nullable Instant downSince,
      @Nullable Instant debugUntil,
      @Nullable String debugBy) {}

  public String name() {
    return identity.name;
  }
}
