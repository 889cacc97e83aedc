package io.millrace.sequence;

import io.millrace.schedule.CronExpression;
import io.millrace.schedule.DstPolicy;
import io.millrace.schedule.Recurrence;
import io.millrace.schedule.RunPolicy;
import io.millrace.schedule.Schedule;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the next time that a cron of a node allows: for starts, retries and missed slots. */
final class CronSchedules {

  private CronSchedules() {}

  /**
   * Returns the first fire after {@code now}, in UTC; null without a cron, and for one that has
   * ended.
   */
  static @Nullable Instant next(@Nullable CronExpression cron, Instant now) {
    return cron == null ? null : schedule(cron).next(now);
  }

  static Schedule schedule(CronExpression cron) {
    return new Schedule(
        new Recurrence.Cron(cron, DstPolicy.EARLIER),
        true,
        ZoneOffset.UTC,
        DayOfWeek.SUNDAY,
        List.of(),
        RunPolicy.DEFAULT,
        null);
  }
}
