package io.millrace.schedule;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneOffsetTransition;
import org.jspecify.annotations.Nullable;

/** A grid of days, with the instant one second past midnight on each. */
record CalendarTimeline(Recurrence.Calendar recurrence, ZoneId zone, DayOfWeek weekStart)
    implements Timeline {

  @Override
  public @Nullable Instant first(Instant created) {
    LocalDate today = dayOf(created);
    LocalDate start = recurrence.start();
    LocalDate first =
        switch (recurrence.frequency()) {
          case ONETIME, BI_WEEKLY_SPRINT, TRI_WEEKLY_SPRINT -> earliest();
          case DAILY, WEEKLY -> plus(floor(today), 1);
          case MONTHLY, QUARTERLY, YEARLY -> floor(today);
        };
    if (start != null && start.isAfter(today) && earliest() == null) {
      first = plus(floor(start), 1);
    }
    return first == null || isAfterEnd(first) ? null : at(first);
  }

  @Override
  public @Nullable Instant next(Instant instant) {
    LocalDate day = orEarliest(plus(floor(dayOf(instant)), -1));
    while (!isAfterEnd(day)) {
      Instant at = at(day);
      if (at.isAfter(instant)) {
        return at;
      }
      day = plus(day, 1);
    }
    return null;
  }

  @Override
  public @Nullable Instant previous(Instant instant) {
    LocalDate day = plus(floor(dayOf(instant)), 1);
    LocalDate end = latest();
    if (end != null && day.isAfter(end)) {
      day = end;
    }
    LocalDate earliest = earliest();
    while (earliest == null || !day.isBefore(earliest)) {
      Instant at = at(day);
      if (at.isBefore(instant)) {
        return at;
      }
      day = plus(day, -1);
    }
    return null;
  }

  @Override
  public DataWindow window(Instant slot) {
    LocalDate day = floor(dayOf(slot));
    Instant to = begin(day);
    if (recurrence.frequency() == Frequency.ONETIME && recurrence.start() != null) {
      return new DataWindow(begin(recurrence.start()), to);
    }
    LocalDate from = plus(day, -1);
    while (!begin(from).isBefore(to)) { // a day that does not exist begins with the next one
      from = plus(from, -1);
    }
    return new DataWindow(begin(from), to);
  }

  @Override
  public long count(Instant first, Instant last) {
    return Timeline.countOneByOne(this, first, last);
  }

  private LocalDate dayOf(Instant instant) {
    return instant.atZone(zone).toLocalDate();
  }

  private Instant begin(LocalDate day) {
    return day.atStartOfDay(zone).toInstant();
  }

  /** Returns one second past midnight, or the first existing instant of the day or the next one. */
  private Instant at(LocalDate day) {
    LocalDate existing = day.atStartOfDay(zone).toLocalDate();
    LocalDateTime time = existing.atTime(0, 0, 1);
    ZoneOffsetTransition gap = zone.getRules().getTransition(time);
    return gap != null && gap.isGap() ? gap.getInstant() : time.atZone(zone).toInstant();
  }

  /** Returns the last day of the grid that is not after {@code day}. */
  private LocalDate floor(LocalDate day) {
    return switch (recurrence.frequency()) {
      case ONETIME -> onlyDay();
      case DAILY -> day;
      case WEEKLY -> day.with(TemporalAdjusters.previousOrSame(weekStart));
      case BI_WEEKLY_SPRINT, TRI_WEEKLY_SPRINT -> {
        long since = ChronoUnit.DAYS.between(sprintStart(), day);
        yield day.minusDays(Math.floorMod(since, (long) sprintDays()));
      }
      case MONTHLY -> day.withDayOfMonth(1);
      case QUARTERLY -> day.withDayOfMonth(1).with(day.getMonth().firstMonthOfQuarter());
      case YEARLY -> day.withDayOfYear(1);
    };
  }

  private LocalDate plus(LocalDate gridDay, int periods) {
    return switch (recurrence.frequency()) {
      case ONETIME, DAILY -> gridDay.plusDays(periods);
      case WEEKLY -> gridDay.plusWeeks(periods);
      case BI_WEEKLY_SPRINT, TRI_WEEKLY_SPRINT -> gridDay.plusDays((long) periods * sprintDays());
      case MONTHLY -> gridDay.plusMonths(periods);
      case QUARTERLY -> gridDay.plusMonths(3L * periods);
      case YEARLY -> gridDay.plusYears(periods);
    };
  }

  private int sprintDays() {
    return recurrence.frequency() == Frequency.BI_WEEKLY_SPRINT ? 14 : 21;
  }

  private LocalDate sprintStart() {
    return given(recurrence.start());
  }

  private LocalDate onlyDay() {
    return given(recurrence.end()).plusDays(1);
  }

  /** Returns the date, whose presence the record has checked. */
  private static LocalDate given(@Nullable LocalDate date) {
    if (date == null) {
      throw new IllegalStateException("a date is missing");
    }
    return date;
  }

  /** Returns the first day of the grid, if it has one. */
  private @Nullable LocalDate earliest() {
    return switch (recurrence.frequency()) {
      case ONETIME -> onlyDay();
      case BI_WEEKLY_SPRINT, TRI_WEEKLY_SPRINT -> plus(sprintStart(), 1);
      default -> null;
    };
  }

  private LocalDate orEarliest(LocalDate day) {
    LocalDate earliest = earliest();
    return earliest != null && day.isBefore(earliest) ? earliest : day;
  }

  /** Returns the last day of the grid, if there is an end date. */
  private @Nullable LocalDate latest() {
    return recurrence.end() == null ? null : floor(recurrence.end().plusDays(1));
  }

  private boolean isAfterEnd(LocalDate day) {
    return recurrence.end() != null && day.isAfter(recurrence.end().plusDays(1));
  }
}
