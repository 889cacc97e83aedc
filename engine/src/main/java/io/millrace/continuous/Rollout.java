package io.millrace.continuous;

import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StopReason;
import io.millrace.instance.WorkflowInstance;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A rollout, as its instance tells.
 *
 * @param id of the instance
 * @param nodes those it is about, in their order; empty before it has begun
 * @param done how many of them are back
 * @param why what it does now, or how it ended
 */
public record Rollout(
    long id,
    StopReason reason,
    Phase phase,
    List<String> nodes,
    int done,
    @Nullable String why,
    Instant since) {

  /** Where a rollout is in its life. */
  public enum Phase {
    /** Another one is under way before it. */
    QUEUED,
    RUNNING,
    /** Somebody has to resume or abort it. */
    PAUSED,
    COMPLETED,
    ABORTED,
    /** It could not be carried out. */
    FAILED;

    /** True when nothing more comes of it. */
    public boolean isOver() {
      return this == COMPLETED || this == ABORTED || this == FAILED;
    }
  }

  private static final Map<String, Phase> PHASES =
      Map.of(
          RolloutSteps.QUEUE, Phase.QUEUED,
          RolloutSteps.PAUSED, Phase.PAUSED,
          RolloutSteps.ABORTED, Phase.ABORTED,
          RolloutSteps.END, Phase.COMPLETED);

  static Rollout of(WorkflowInstance instance, StopReason reason, List<String> nodes, int done) {
    return new Rollout(
        instance.id(),
        reason,
        phase(instance),
        nodes,
        done,
        instance.position().reason(),
        instance.timing().modified());
  }

  static Phase phase(WorkflowInstance instance) {
    InstanceStatus status = instance.status();
    if (status == InstanceStatus.FAILED) {
      return Phase.FAILED;
    }
    if (status == InstanceStatus.CANCELLED) {
      return Phase.ABORTED;
    }
    return Objects.requireNonNullElse(PHASES.get(instance.state()), Phase.RUNNING);
  }
}
