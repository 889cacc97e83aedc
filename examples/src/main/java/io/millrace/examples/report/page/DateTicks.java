package io.millrace.examples.report.page;

import java.time.LocalDate;
import java.time.Month;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The dates below a chart. */
final class DateTicks {

  private static final int MAX_TICKS = 14;
  private static final DateTimeFormatter MONTH = DateTimeFormatter.ofPattern("MMM", Locale.ENGLISH);
  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM", Locale.ENGLISH);

  record Tick(LocalDate day, String label) {}

  private DateTicks() {}

  /** Returns dates between the two, about as many as fit. */
  static List<Tick> between(LocalDate from, LocalDate to) {
    long months = ChronoUnit.MONTHS.between(from, to);
    if (months <= 3) {
      return days(from, to);
    }
    for (int step : new int[] {1, 3, 6}) {
      if (months / step <= MAX_TICKS) {
        return months(from, to, step);
      }
    }
    return years(from, to);
  }

  private static List<Tick> days(LocalDate from, LocalDate to) {
    List<Tick> ticks = new ArrayList<>();
    for (LocalDate day = from; day.isBefore(to); day = day.plusWeeks(1)) {
      ticks.add(new Tick(day, DAY.format(day)));
    }
    return ticks;
  }

  private static List<Tick> months(LocalDate from, LocalDate to, int step) {
    List<Tick> ticks = new ArrayList<>();
    LocalDate day = from.withDayOfMonth(1).plusMonths(from.getDayOfMonth() == 1 ? 0 : 1);
    while ((day.getMonthValue() - 1) % step != 0) {
      day = day.plusMonths(1);
    }
    for (; day.isBefore(to); day = day.plusMonths(step)) {
      boolean january = day.getMonth() == Month.JANUARY;
      ticks.add(new Tick(day, january || ticks.isEmpty() ? label(day) : MONTH.format(day)));
    }
    return ticks;
  }

  private static String label(LocalDate day) {
    return day.getMonth() == Month.JANUARY
        ? String.valueOf(day.getYear())
        : MONTH.format(day) + " " + day.getYear();
  }

  private static List<Tick> years(LocalDate from, LocalDate to) {
    int step = Math.toIntExact(ChronoUnit.YEARS.between(from, to) / MAX_TICKS + 1);
    List<Tick> ticks = new ArrayList<>();
    int first = from.getDayOfYear() == 1 ? from.getYear() : from.getYear() + 1;
    for (int year = first; year <= to.getYear(); year++) {
      if (year % step == 0) {
        ticks.add(new Tick(LocalDate.of(year, 1, 1), String.valueOf(year)));
      }
    }
    return ticks;
  }
}
