package io.millrace.schedule;

/** The frequency of a schedule by the calendar. */
public enum Frequency {
  /** Once, over a range of past days. */
  ONETIME,
  /** Every day, for the day before. */
  DAILY,
  /** Every first day of a week, for the week before. */
  WEEKLY,
  /** Every 14 days from a start date, for the 14 days before. */
  BI_WEEKLY_SPRINT,
  /** Every 21 days from a start date, for the 21 days before. */
  TRI_WEEKLY_SPRINT,
  /** Every first day of a month, for the month before. */
  MONTHLY,
  /** Every first day of January, April, July and October, for the three months before. */
  QUARTERLY,
  /** Every first of January, for the year before. */
  YEARLY;

  /**
   * Returns the frequency of that name, in upper or lower case.
   *
   * @throws InvalidScheduleException if there is none; the message lists all
   */
  public static Frequency of(String name) {
    return ScheduleValidation.constant(Frequency.class, "Frequency", name);
  }

  /** Returns true for sprints, which are counted from a start date and therefore need one. */
  public boolean isSprint() {
    return this == BI_WEEKLY_SPRINT || this == TRI_WEEKLY_SPRINT;
  }
}
