package io.millrace.schedule;

/** The policy that says which of the slots that passed without a run are made up for. */
public enum MisfirePolicy {
  /** The latest due slot runs; older ones are recorded as missed. */
  LATEST,
  /**
   * No late slot runs; each is recorded as missed, and the schedule continues with the next one.
   */
  NONE,
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
