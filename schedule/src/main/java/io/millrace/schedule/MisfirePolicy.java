package io.millrace.schedule;

/** The treatment of slots whose time passed unnoticed, for example in an outage. */
public enum MisfirePolicy {
  /** The latest slot that is due runs, older ones are recorded as missed. */
  LATEST,
  /** Slots that are late are recorded as missed, and the schedule goes on with the next. */
  SKIP,
  /** Every slot runs, the oldest first, up to a limit of the newest. */
  ALL;

  /**
   * The policy of that name, in upper or lower case.
   *
   * @throws InvalidScheduleException when there is none; the message lists all
   */
  public static MisfirePolicy of(String name) {
    return ScheduleValidation.constant(MisfirePolicy.class, "Misfire policy", name);
  }
}
