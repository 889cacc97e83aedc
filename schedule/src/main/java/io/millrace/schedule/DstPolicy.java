package io.millrace.schedule;

/**
 * What a cron does about local times that do not exist, because clocks were put forward (a gap),
 * and those that exist twice, because clocks were put back (an overlap).
 *
 * <p>All times of a cron that lie in one gap come together to at most one fire, at the first
 * instant after the gap.
 *
 * <p>The policy concerns crons of chosen hours. One that fires in every hour of the day follows the
 * clock on the wall whatever its policy: it fires whenever that shows a time of its own. So it
 * neither makes up for times in a gap nor rests while an hour is repeated.
 *
 * <p>Frequencies and intervals need none: those are due at the first instant of a day that exists,
 * these count elapsed time.
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
   * The policy of that name, in upper or lower case.
   *
   * @throws InvalidScheduleException when there is none; the message lists all
   */
  public static DstPolicy of(String name) {
    return ScheduleValidation.constant(DstPolicy.class, "DST policy", name);
  }
}
