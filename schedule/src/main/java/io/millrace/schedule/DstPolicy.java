package io.millrace.schedule;

/**
 * The policy of a cron for local times that do not exist, because clocks were put forward (a gap),
 * and those that exist twice, because clocks were put back (an overlap).
 *
 * <p>All times of a cron that lie in one gap merge into at most one fire, at the first instant
 * after the gap.
 *
 * <p>The policy concerns crons with certain hours. A cron that fires in every hour of the day
 * follows the wall clock whatever its policy: it fires whenever the clock shows one of its times.
 * It neither makes up for times in a gap nor pauses while an hour is repeated.
 *
 * <p>Frequencies and intervals need no policy: frequencies are due at the first existing instant of
 * a day, intervals count elapsed time.
 */
public enum DstPolicy {
  /** A time in a gap does not fire. One that exists twice fires once, the first time. */
  SKIP,
  /** A time in a gap fires after it. One that exists twice fires once, the first time. */
  EARLIER,
  /** A time in a gap fires after it. One that exists twice fires once, the second time. */
  LATER,
  /** A time in a gap fires after it. One that exists twice fires both times. */
  BOTH;

  /**
   * Returns the policy of that name, in upper or lower case.
   *
   * @throws InvalidScheduleException if there is none; the message lists all
   */
  public static DstPolicy of(String name) {
    return ScheduleValidation.constant(DstPolicy.class, "DST policy", name);
  }
}
