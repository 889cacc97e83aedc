package io.millrace.server.api;

import io.millrace.schedule.ExclusionCalendar;
import io.millrace.schedule.ExclusionCalendar.Blackout;
import io.millrace.schedule.ExclusionCalendar.Holiday;
import io.millrace.sequence.UpcomingRun;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The holidays and blackouts of sequences that overlap a period of time. */
final class Blackouts {

  private static final int MAX = 1_000;
  private static final int MAX_NAMED = 100;
  private static final Instant FIRST = Instant.EPOCH;
  private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

  private final Instant from;
  private final Instant to;
  private final Map<Period, List<String>> closed = new LinkedHashMap<>();

  private Blackouts(Instant from, Instant to) {
    this.from = from;
    this.to = to;
  }

  /** A period in which sequences do not run. */
  record ClosedView(Instant from, Instant to, String name, List<String> sequences) {}

  private record Period(Instant from, Instant to, String name) {}

  /** Returns the periods that overlap the given time, the earliest first. */
  static List<ClosedView> of(List<UpcomingRun> runs, Instant from, Instant to) {
    Blackouts all = new Blackouts(from, to);
    for (UpcomingRun run : runs) {
      for (ExclusionCalendar calendar : run.schedule().calendars()) {
        all.holidays(run, calendar);
        all.blackouts(run, calendar);
      }
    }
    return all.closed.entrySet().stream()
        .map(e -> new ClosedView(e.getKey().from, e.getKey().to, e.getKey().name, e.getValue()))
        .sorted(Comparator.comparing(ClosedView::from).thenComparing(ClosedView::name))
        .toList();
  }

  private void holidays(UpcomingRun run, ExclusionCalendar calendar) {
    ZoneId zone = run.schedule().zone();
    LocalDate first = from.atZone(zone).toLocalDate();
    LocalDate last = to.minusNanos(1).atZone(zone).toLocalDate();
    for (Holiday holiday : calendar.holidays()) {
      for (LocalDate day : days(holiday, first, last)) {
        add(
            run,
            new Period(
                day.atStartOfDay(zone).toInstant(),
                day.plusDays(1).atStartOfDay(zone).toInstant(),
                named(calendar, holiday.name())));
      }
    }
  }

  /** Returns the days of a holiday between two dates, both inclusive. */
  private static List<LocalDate> days(Holiday holiday, LocalDate first, LocalDate last) {
    List<LocalDate> days = new ArrayList<>();
    for (int year = first.getYear(); year <= last.getYear(); year++) {
      LocalDate day = holiday.yearly() ? holiday.date().withYear(year) : holiday.date();
      boolean exists = day.getDayOfMonth() == holiday.date().getDayOfMonth();
      if (day.getYear() == year && exists && !day.isBefore(first) && !day.isAfter(last)) {
        days.add(day);
      }
    }
    return days;
  }

  private void blackouts(UpcomingRun run, ExclusionCalendar calendar) {
    for (Blackout blackout : calendar.blackouts()) {
      if (blackout.from().isBefore(to) && blackout.to().isAfter(from)) {
        // Not every client can show dates that are far from today.
        Instant begin = blackout.from().isBefore(FIRST) ? FIRST : blackout.from();
        Instant end = blackout.to().isAfter(LAST) ? LAST : blackout.to();
        add(run, new Period(begin, end, named(calendar, blackout.name())));
      }
    }
  }

  private static String named(ExclusionCalendar calendar, String entry) {
    return calendar.name() + ": " + entry;
  }

  private void add(UpcomingRun run, Period period) {
    List<String> sequences = closed.get(period);
    if (sequences == null && closed.size() < MAX) {
      sequences = new ArrayList<>();
      closed.put(period, sequences);
    }
    if (sequences != null && sequences.size() < MAX_NAMED) {
      sequences.add(run.sequenceId());
    }
  }
}
