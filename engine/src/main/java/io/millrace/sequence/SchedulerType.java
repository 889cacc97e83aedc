package io.millrace.sequence;

/**
 * The four schedulers of task sequences, each with the statuses of the active sequences it handles.
 */
public enum SchedulerType {
  /** The scheduler that starts due sequences. */
  EXECUTOR,
  /** The scheduler that starts sequences flagged to run at once, also those that have completed. */
  IMMEDIATE,
  /** The scheduler that retries failed tasks and unsent messages. */
  RETRY,
  /** The scheduler that handles missed slots. */
  AUTO_CORRECTION;

  /** Returns true if the scheduler handles active sequences of this status. */
  public boolean accepts(SequenceStatus status) {
    return switch (status) {
      case NOT_STARTED, COMPLETED -> this != RETRY;
      case RESTART -> this == EXECUTOR || this == IMMEDIATE;
      case TASK_INITIALIZE_ERROR -> this == RETRY || this == IMMEDIATE;
      case ERROR -> this == RETRY;
      case IN_PROGRESS, ABORTED -> false;
    };
  }
}
