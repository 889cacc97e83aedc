package io.millrace.sequence;

/**
 * An action of the scheduler, with the statuses of the active sequences that allow it. Failed tasks
 * are retried by the engine, like any instance, and need no action.
 */
public enum SchedulerAction {
  /** The start of a sequence whose slot is due. */
  START_SCHEDULED,
  /** The start of a sequence that is flagged to run at once or to restart. */
  START_REQUESTED,
  /** The record of missed slots while the start cron allows no start. */
  RECORD_MISSED;

  /** Returns true if the status allows the action. */
  public boolean isAllowed(SequenceStatus status) {
    return switch (status) {
      case NOT_STARTED, COMPLETED -> true;
      case RESTART -> this != RECORD_MISSED;
      case TASK_INITIALIZE_ERROR -> this == START_REQUESTED;
      case ERROR, IN_PROGRESS, ABORTED -> false;
    };
  }
}
