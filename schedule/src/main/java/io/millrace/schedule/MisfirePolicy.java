package io.millrace.schedule;

/** The policy for slots that passed without a run, for example in an outage. */
public enum MisfirePolicy {
  /** The latest due slot runs; older ones are recorded as missed. */
  LATEST,
  /** Late slots are recorded as missed, and the schedule continues with the next one. */
  SKIP,
  /** Every slot runs, the oldest first, up to a limit of the newest. */
  ALL;

  /**
   * Returns the policy of that name, in upper or lower case.
   *
   * @throws InvalidScheduleException if there is none; the message lists all
   */
  public static MisfirePolicy of(String name) {
    return ScheduleValidation.constant(MisfirePolicy.class, "Misfire policy", name);
  }
}
