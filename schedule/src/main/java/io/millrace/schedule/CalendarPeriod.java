package io.millrace.schedule;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;

/**
 * A period of a zone's calendar within which something happens once. It is never "the last 24
 * hours": a day has one key however long it is. Keys of one kind sort in order of time.
 */
public enum CalendarPeriod {
  /** A day, such as {@code 2026-03-01}. */
  LOCAL_DATE,
  /** A week from Monday on, such as {@code 2026-W09}; the first has the year's first Thursday. */
  ISO_WEEK,
  /** A month, such as {@code 2026-03}. */
  LOCAL_MONTH,
  /**
   * An hour with its offset, such as {@code 2026-10-25T02+02:00}: when clocks are put back, the
   * repeated hour is a second one.
   */
  LOCAL_HOUR;

  private static final DateTimeFormatter MONTH = format("uuuu-MM");
  private static final DateTimeFormatter HOUR = format("uuuu-MM-dd'T'HHxxx");

  /** Returns the key of the period to which {@code at} belongs. */
  public String key(Instant at, ZoneId zone) {
    ZonedDateTime local = at.atZone(zone);
    LocalDate date = local.toLocalDate();
    return switch (this) {
      case LOCAL_DATE -> date.toString();
      case ISO_WEEK ->
          String.format(
              Locale.ROOT,
              "%04d-W%02d",
              date.get(IsoFields.WEEK_BASED_YEAR),
              date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
      case LOCAL_MONTH -> MONTH.format(date);
      case LOCAL_HOUR -> HOUR.format(local);
    };
  }

  /**
   * Returns the period of that name, in upper or lower case.
   *
   * @throws InvalidScheduleException if there is none; the message lists all
   */
  public static CalendarPeriod of(String name) {
    return ScheduleValidation.constant(CalendarPeriod.class, "Period", name);
  }

  /** Returns the start of the period of a local time. */
  LocalDateTime begin(LocalDateTime at) {
    LocalDateTime day = at.truncatedTo(ChronoUnit.DAYS);
    return switch (this) {
      case LOCAL_DATE -> day;
      case ISO_WEEK -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case LOCAL_MONTH -> day.withDayOfMonth(1);
      case LOCAL_HOUR -> at.truncatedTo(ChronoUnit.HOURS);
    };
  }

  private static DateTimeFormatter format(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
  }
}
