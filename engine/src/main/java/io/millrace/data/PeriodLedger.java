package io.millrace.data;

import io.millrace.schedule.CalendarPeriod;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * A decision about work that happens once a period. Of all callers, in whatever process, one is
 * told to do it. Any number of workflows can share the ledger, each by its id.
 *
 * <p>In a handler, the instance holds the period until it ends. The period is done when the
 * instance has finished, and free again when the instance has failed and attempts are left. Every
 * attempt of the instance gets the same answer. The handler may end the period itself before that.
 */
public interface PeriodLedger {

  /**
   * Claims a period by its key, which may be any text.
   *
   * @param key names the work, for example a job's name
   */
  Claim claim(String key, String period);

  /** Claims the current period of the zone's calendar. */
  Claim claim(String key, CalendarPeriod calendarPeriod, ZoneId zone);

  /**
   * Claims a period as {@link #claim(String, String)} does, for another instance, whose end then
   * closes the period. For guards that are separate instances.
   */
  Claim claimFor(String key, String period, long executionId);

  /**
   * Records that the work is done.
   *
   * @return false if another claimant holds the period by now
   */
  boolean complete(Claim claim);

  /**
   * Releases a period whose work has not started, for the next caller.
   *
   * @return false if another claimant holds the period by now
   */
  boolean release(Claim claim, String reason);

  /**
   * The decision.
   *
   * @param shouldRun true for the claimant that must do the work
   * @param claimId names the claim of the period's holder
   * @param fencingToken grows with every claim of the period, to be passed to whatever the work
   *     writes outside
   * @param previous the current or last holder; null if it is the caller
   */
  record Claim(
      PeriodId period,
      boolean shouldRun,
      String claimId,
      long fencingToken,
      @Nullable PeriodEntry previous) {}
}
