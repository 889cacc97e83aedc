package io.millrace.schedule;

/** The policy for a slot that is due while an execution of the same schedule runs. */
public enum OverlapPolicy {
  /** The slot is recorded as skipped. */
  SKIP,
  /** The latest due slot runs when the execution has ended. */
  BUFFER_ONE,
  /** All due slots run after the end of the execution, one after another, oldest first. */
  BUFFER_ALL,
  /** The running execution is cancelled, and the latest slot runs. */
  CANCEL,
  /** The slot runs beside the execution. */
  ALLOW;

  /**
   * Returns the policy of that name, in upper or lower case.
   *
   * @throws InvalidScheduleException if there is none; the message lists all
   */
  public static OverlapPolicy of(String name) {
    return ScheduleValidation.constant(OverlapPolicy.class, "Overlap policy", name);
  }
}
