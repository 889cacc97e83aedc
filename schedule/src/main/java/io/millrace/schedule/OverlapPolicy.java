package io.millrace.schedule;

/** What is done when a slot comes while an execution of the same schedule still runs. */
public enum OverlapPolicy {
  /** The slot is recorded as skipped. */
  SKIP,
  /** The latest of the slots that came runs when the execution has ended. */
  BUFFER_ONE,
  /** All slots that came run when the execution has ended, one after another, oldest first. */
  BUFFER_ALL,
  /** The running execution is cancelled, and the latest slot runs. */
  CANCEL,
  /** The slot runs beside it. */
  ALLOW;

  /**
   * The policy of that name, in upper or lower case.
   *
   * @throws InvalidScheduleException when there is none; the message lists all
   */
  public static OverlapPolicy of(String name) {
    return ScheduleValidation.constant(OverlapPolicy.class, "Overlap policy", name);
  }
}
