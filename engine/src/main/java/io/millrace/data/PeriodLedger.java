package io.millrace.data;

import io.millrace.schedule.CalendarPeriod;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether something that is to be done once a period is to be done now. Of all who ask, in
 * whatever process, one is told to do it. Any number of workflows can share it, each by its id.
 *
 * <p>Used by a handler, the period is the instance's until that ends: it is done when the instance
 * has finished, and free again when that has failed, as long as attempts are left. Every attempt of
 * the instance gets the same answer. The handler may end the period itself before that.
 */
public interface PeriodLedger {

  /**
   * Asks for a period by its key, which may be any text.
   *
   * @param key what is to be done once a period, for example a job's name
   */
  Claim claim(String key, String period);

  /** Asks for the period of the zone's calendar that it is now. */
  Claim claim(String key, CalendarPeriod calendarPeriod, ZoneId zone);

  /**
   * Claims a period as {@link #claim(String, String)} does, for another instance, whose end then
   * closes the period; for guards that are instances of their own.
   */
  Claim claimFor(String key, String period, long executionId);

  /**
   * The work is done.
   *
   * @return false when somebody else has the period by now
   */
  boolean complete(Claim claim);

  /**
   * Releases a period whose work has not started, for the next caller.
   *
   * @return false when somebody else has the period by now
   */
  boolean release(Claim claim, String reason);

  /**
   * The decision.
   *
   * @param shouldRun true for the one who is to do it
   * @param claimId names the claim of who has the period
   * @param fencingToken grows with every claim of the period, to be passed to whatever the work
   *     writes outside
   * @param previous who has it instead, or had it; null when the asker has it
   */
  record Claim(
      PeriodId period,
      boolean shouldRun,
      String claimId,
      long fencingToken,
      @Nullable PeriodEntry previous) {}
}
