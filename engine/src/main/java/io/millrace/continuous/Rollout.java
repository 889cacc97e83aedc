package io.millrace.continuous;

import io.millrace.instance.StopReason;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rollout, as its instance tells.
 *
 * @param id of the instance
 * @param why what it does now, or how it ended
 * @param since when it came to do that
 */
public record Rollout(
    long id, Origin origin, Phase phase, Progress progress, @Nullable String why, Instant since) {

  /**
   * Where a rollout comes from.
   *
   * @param by who wanted it, and why
   */
  public record Origin(StopReason reason, String by, Instant asked) {}

  /**
   * The progress of a rollout.
   *
   * @param nodes those it is about, in their order; empty before it has begun
   * @param done how many of them are back
   * @param current the one that is being replaced; null when none is
   */
  public record Progress(List<String> nodes, int done, @Nullable CurrentNode current) {
    public Progress {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * A node that is being replaced.
   *
   * @param executorId the executor that leaves, or has left
   * @param since when it was asked to leave, or was away; null when that is not known any more
   * @param deadline when handlers that still run are cancelled; null once it has left
   * @param held instances that it held at its last heartbeat
   */
  public record CurrentNode(
      String node,
      long executorId,
      Step step,
      @Nullable Instant since,
      @Nullable Instant deadline,
      int held) {}

  /** The step of a node that is being replaced. */
  public enum Step {
    /** Its executor ends what it holds. */
    LEAVING,
    /** Its successor is not there yet, or has not been ready for long enough. */
    RETURNING
  }

  /** The phase of a rollout. */
  public enum Phase {
    /** Another one is under way before it. */
    QUEUED,
    RUNNING,
    /** Paused until an operator resumes or aborts it. */
    PAUSED,
    COMPLETED,
    ABORTED,
    /** Failed. */
    FAILED;

    /** True when nothing more comes of it. */
    public boolean isTerminal() {
      return this == COMPLETED || this == ABORTED || this == FAILED;
    }
  }

  /** Returns the reason that handlers on its nodes see. */
  public StopReason reason() {
    return origin.reason;
  }

  /** Its nodes, in their order; empty before it has begun. */
  public List<String> nodes() {
    return progress.nodes;
  }

  /** Returns the number of replaced nodes. */
  public int done() {
    return progress.done;
  }
}
