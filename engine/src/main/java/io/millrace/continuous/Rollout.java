package io.millrace.continuous;

import io.millrace.instance.StopReason;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rollout, as its instance records it.
 *
 * @param id of the instance
 * @param why what it does now, or how it ended
 * @param since time since which it does that
 */
public record Rollout(
    long id, Origin origin, Phase phase, Progress progress, @Nullable String why, Instant since) {

  /**
   * The origin of a rollout.
   *
   * @param by the requester and the reason
   */
  public record Origin(StopReason reason, String by, Instant asked) {}

  /**
   * The progress of a rollout.
   *
   * @param nodes the nodes to replace, in their order; empty before it has started
   * @param done number of nodes that are back
   * @param current the node that is being replaced; null for none
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
   * @param since when it was asked to leave, or was away; null if no longer known
   * @param deadline when handlers that still run are cancelled; null once it has left
   * @param held instances that it held at its last heartbeat
   */
  public record CurrentNode(
      String node,
      long executorId,
      Stage stage,
      @Nullable Instant since,
      @Nullable Instant deadline,
      int held) {}

  /** The stage of a node that is being replaced. */
  public enum Stage {
    /** Its executor finishes the instances it holds. */
    LEAVING,
    /** Its successor is missing, or has not been ready for long enough. */
    RETURNING
  }

  /** The phase of a rollout. */
  public enum Phase {
    /** The rollout waits for the end of another one. */
    QUEUED,
    RUNNING,
    /** The rollout is paused until an operator resumes or aborts it. */
    PAUSED,
    COMPLETED,
    ABORTED,
    /** The rollout failed. */
    FAILED;

    /** Returns true if the rollout has ended. */
    public boolean isTerminal() {
      return this == COMPLETED || this == ABORTED || this == FAILED;
    }
  }

  /** Returns the reason that handlers on its nodes see. */
  public StopReason reason() {
    return origin.reason;
  }

  /** Returns its nodes, in their order; empty before it has started. */
  public List<String> nodes() {
    return progress.nodes;
  }

  /** Returns the number of replaced nodes. */
  public int done() {
    return progress.done;
  }
}
