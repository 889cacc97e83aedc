package io.millrace.sequence;

import io.millrace.store.SequenceStore.LastExecution;
import io.millrace.store.SequenceStore.StartObstacle;
import io.millrace.store.SequenceStore.StoredSequence;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The status of a sequence. It is not stored but derived from its flags and its newest execution,
 * so that it cannot contradict the history.
 */
public enum SequenceStatus {
  /** The sequence never ran. */
  NOT_STARTED,
  /** An execution is running. */
  IN_PROGRESS,
  /** All tasks succeeded. */
  COMPLETED,
  /** A task has failed and will be retried. */
  ERROR,
  /** A task failed for good, or the execution was cancelled or parked; an operator must decide. */
  ABORTED,
  /** A restart from the first task is requested. */
  RESTART,
  /**
   * The next task cannot start: its message is not with the broker, or no live executor has the
   * code of the tasks. It starts automatically when that is corrected.
   */
  TASK_INITIALIZE_ERROR;

  private static final Map<SequenceStatus, Set<SequenceStatus>> NEXT =
      new EnumMap<>(
          Map.of(
              NOT_STARTED, EnumSet.of(IN_PROGRESS),
              IN_PROGRESS, EnumSet.of(COMPLETED, ERROR, ABORTED, TASK_INITIALIZE_ERROR),
              COMPLETED, EnumSet.of(IN_PROGRESS),
              ERROR, EnumSet.of(IN_PROGRESS, COMPLETED, ABORTED, TASK_INITIALIZE_ERROR),
              ABORTED, EnumSet.of(IN_PROGRESS, COMPLETED, RESTART),
              RESTART, EnumSet.of(IN_PROGRESS, ABORTED),
              TASK_INITIALIZE_ERROR, EnumSet.of(IN_PROGRESS, COMPLETED, ERROR, ABORTED)));

  /** Returns true if a single change can lead from this status to another one. */
  public boolean mayBecome(SequenceStatus next) {
    return NEXT.getOrDefault(this, Set.of()).contains(next);
  }

  /** Returns the status of a stored sequence. */
  public static SequenceStatus of(StoredSequence sequence) {
    LastExecution last = sequence.last();
    if (sequence.flags().restart()) {
      return RESTART;
    }
    return last == null ? NOT_STARTED : of(last);
  }

  private static SequenceStatus of(LastExecution last) {
    return switch (last.status()) {
      case FINISHED -> COMPLETED;
      case FAILED, CANCELLED, MANUAL -> ABORTED;
      case CREATED, IN_PROGRESS, EXECUTING, PAUSED -> {
        if (!last.obstacle().equals(StartObstacle.NONE)) {
          yield TASK_INITIALIZE_ERROR;
        }
        yield !last.leased() && last.attempt() > 0 ? ERROR : IN_PROGRESS;
      }
    };
  }
}
