package io.millrace.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The rule that generates the slots of a schedule. */
public sealed interface Recurrence
    permits Recurrence.Calendar, Recurrence.Cron, Recurrence.Interval, DayWindow {

  /**
   * A recurrence by the calendar: due at 00:00:01 of a day, in the zone of the schedule, or at the
   * first existing instant of that day. If the day does not exist, the next one takes its place.
   *
   * <p>{@link Frequency#ONETIME} needs both dates and covers the range from the first to the last,
   * both included, when the last has ended. Sprints need the start date, from which they are
   * counted. For the others, a start date in the future delays the first run to the first period
   * that ends after it. An end date is the last day that they cover, so that the last slot is at
   * most a day later.
   */
  record Calendar(Frequency frequency, @Nullable LocalDate start, @Nullable LocalDate end)
      implements Recurrence {

    private static final LocalDate FIRST = LocalDate.of(1900, 1, 1);
    private static final LocalDate LAST = LocalDate.of(9999, 12, 31);

    public Calendar {
      requireSane("start date", frequency, start);
      requireSane("end date", frequency, end);
      ScheduleValidation.require(
          start != null || !(frequency.isSprint() || frequency == Frequency.ONETIME),
          "A schedule " + frequency + " needs a start date.");
      ScheduleValidation.require(
          end != null || frequency != Frequency.ONETIME,
          "A schedule " + frequency + " needs an end date: the last day that it reports.");
      ScheduleValidation.require(
          start == null || end == null || !end.isBefore(start),
          "A schedule %s ends on %s, before its start date %s.".formatted(frequency, end, start));
    }

    private static void requireSane(String what, Frequency of, @Nullable LocalDate date) {
      ScheduleValidation.require(
          date == null || !(date.isBefore(FIRST) || date.isAfter(LAST)),
          "The %s of a schedule %s is %s; expected %s to %s."
              .formatted(what, of, date, FIRST, LAST));
    }
  }

  /** A recurrence by a cron, on the clock of the schedule's zone. */
  record Cron(CronExpression expression, DstPolicy dst) implements Recurrence {}

  /**
   * A recurrence by elapsed time: an anchor, and whole multiples of a duration after and before it.
   *
   * @param every whole seconds, 1 second to 3,660 days
   * @param anchor fractions of a second are cut off
   */
  record Interval(Duration every, Instant anchor) implements Recurrence {

    private static final Duration MAX_INTERVAL = Duration.ofDays(3_660);

    public Interval {
      anchor = anchor.truncatedTo(ChronoUnit.SECONDS);
      ScheduleValidation.require(
          every.isPositive() && every.toNanosPart() == 0 && every.compareTo(MAX_INTERVAL) <= 0,
          "An interval is " + every + "; expected whole seconds, PT1S to " + MAX_INTERVAL + ".");
    }
  }
}
