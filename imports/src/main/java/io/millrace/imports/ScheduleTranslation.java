package io.millrace.imports;

import io.millrace.instance.InvalidRequestException;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Recurrence;
import io.millrace.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Translation of the schedule of a workflow of the source. The source counts in UTC, and weeks from
 * Sunday; these are the defaults of a schedule here as well.
 */
final class ScheduleTranslation {

  private ScheduleTranslation() {}

  /**
   * Returns the schedule.
   *
   * @param next the next run of the source; null for none
   * @param notes receives what differs here
   */
  static Schedule of(
      SourceSequence.ScheduleColumns scheduleColumns, @Nullable Instant next, List<String> notes) {
    String frequency =
        scheduleColumns.frequency() == null
            ? ""
            : scheduleColumns.frequency().strip().toUpperCase(Locale.ROOT);
    if (frequency.isEmpty()) {
      throw new InvalidRequestException("It has no frequency in column scheduletype.");
    }
    Schedule schedule =
        switch (frequency) {
          case "HOURLY" -> every(Duration.ofHours(1), next);
          case "EVERY_6_HOUR" -> every(Duration.ofHours(6), next);
          case "EVERY_12_HOUR" -> every(Duration.ofHours(12), next);
          default -> byCalendar(Frequency.of(frequency), scheduleColumns, next, notes);
        };
    if (scheduleColumns.recurs() == null) {
      notes.add("Column reoccurence is empty, taken for false.");
    }
    return Boolean.TRUE.equals(scheduleColumns.recurs()) && !isOnetime(schedule)
        ? schedule
        : schedule.once();
  }

  static boolean isOnetime(Schedule schedule) {
    return frequency(schedule) == Frequency.ONETIME;
  }

  static @Nullable Frequency frequency(Schedule schedule) {
    return schedule.recurrence() instanceof Recurrence.Calendar calendar
        ? calendar.frequency()
        : null;
  }

  /**
   * Returns an interval schedule. Its anchor is near 1970, so that the schedule is the same after
   * each run of the source.
   */
  private static Schedule every(Duration duration, @Nullable Instant next) {
    long offset = next == null ? 0 : Math.floorMod(next.getEpochSecond(), duration.toSeconds());
    return Schedule.every(duration, Instant.ofEpochSecond(offset));
  }

  private static Schedule byCalendar(
      Frequency frequency,
      SourceSequence.ScheduleColumns scheduleColumns,
      @Nullable Instant next,
      List<String> notes) {
    LocalDate start = SourceTimes.day(scheduleColumns.start(), "startdate", notes);
    LocalDate end = SourceTimes.day(scheduleColumns.end(), "enddate", notes);
    return switch (frequency) {
      case ONETIME -> {
        if (Boolean.TRUE.equals(scheduleColumns.recurs())) {
          notes.add(
              "It is ONETIME and recurs, which the source runs without end; here it runs once.");
        }
        yield Schedule.of(frequency, start, end);
      }
      case BI_WEEKLY_SPRINT -> Schedule.of(frequency, sprintStart(14, start, next, notes), null);
      case TRI_WEEKLY_SPRINT -> Schedule.of(frequency, sprintStart(21, start, next, notes), null);
      default -> Schedule.of(frequency);
    };
  }

  /**
   * Returns the day from which sprints are counted, which the next run determines; the start date
   * may differ from it, or be missing.
   */
  private static @Nullable LocalDate sprintStart(
      int days, @Nullable LocalDate start, @Nullable Instant next, List<String> notes) {
    if (next == null) {
      return start;
    }
    LocalDate nextDay = SourceTimes.dayOf(next);
    if (start != null && fits(days, start, nextDay)) {
      return start;
    }
    LocalDate begin = nextDay.minusDays(days);
    notes.add(
        (start == null
                ? "It has no start date"
                : "Its start date " + start + " does not fit its next run")
            + "; its sprints are counted from "
            + begin
            + ", as its next run says.");
    return begin;
  }

  private static boolean fits(int days, LocalDate start, LocalDate day) {
    return Math.floorMod(ChronoUnit.DAYS.between(start, day), (long) days) == 0;
  }

  /**
   * True if both schedules have the same slots; the days from which sprints are counted may differ.
   */
  static boolean same(Schedule one, Schedule other) {
    if (one.recurrence() instanceof Recurrence.Calendar first
        && other.recurrence() instanceof Recurrence.Calendar second
        && first.frequency() == second.frequency()
        && first.frequency().isSprint()
        && first.start() != null
        && second.start() != null) {
      int days = first.frequency() == Frequency.BI_WEEKLY_SPRINT ? 14 : 21;
      return fits(days, first.start(), second.start())
          && one.equals(
              new Schedule(
                  one.recurrence(),
                  other.recurs(),
                  other.zone(),
                  other.weekStart(),
                  other.calendars(),
                  other.policy(),
                  other.until()));
    }
    return one.equals(other);
  }
}
