package io.millrace.sequence;

/** The four schedulers of the page, each with the statuses of the active sequences it takes. */
public enum SchedulerType {
  /** Starts what is due. */
  EXECUTOR,
  /** Starts what is flagged to be run at once, also a sequence that has completed. */
  IMMEDIATE,
  /** Tries failed tasks and unsent messages again. */
  RETRY,
  /** Deals with slots that were missed. */
  AUTO_CORRECTION;

  /** True when it takes active sequences of this status. */
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
