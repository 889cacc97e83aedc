package io.millrace.report.kpi;

import io.millrace.report.source.SourceException;
import io.millrace.report.source.WindowDays;
import io.millrace.schedule.DataWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Computes windows before and within a window. Days begin at midnight of a zone. */
public final class DataWindows {

  private static final int MAX_DAYS = 31;
  private static final int MAX_PARTS = 400;

  private DataWindows() {}

  /**
   * Returns the window before, of the same length: whole months before whole months, whole days
   * before whole days. Such a window may be an hour shorter or longer.
   */
  public static DataWindow previous(DataWindow window, ZoneId zone) {
    ZonedDateTime from = window.from().atZone(zone);
    ZonedDateTime to = window.to().atZone(zone);
    if (from.toLocalTime().equals(to.toLocalTime())) {
      if (from.getDayOfMonth() == 1 && to.getDayOfMonth() == 1) {
        long months = ChronoUnit.MONTHS.between(from.toLocalDate(), to.toLocalDate());
        return new DataWindow(from.minusMonths(months).toInstant(), window.from());
      }
      long days = to.toLocalDate().toEpochDay() - from.toLocalDate().toEpochDay();
      return new DataWindow(from.minusDays(days).toInstant(), window.from());
    }
    return new DataWindow(
        window.from().minus(Duration.between(window.from(), window.to())), window.from());
  }

  /** A part of a window, with a label such as {@code 2026-11-16}. */
  record Part(String label, DataWindow window) {}

  /** Returns the days of the window, or the weeks when there are more than 31 days. */
  static List<Part> parts(DataWindow window, ZoneId zone, WindowSplit windowSplit) {
    List<LocalDate> days = WindowDays.of(window, zone);
    int step =
        windowSplit == WindowSplit.WEEK
                || (windowSplit == WindowSplit.AUTO && days.size() > MAX_DAYS)
            ? 7
            : 1;
    if (days.size() / step > MAX_PARTS) {
      throw new SourceException(
          "The window has "
              + days.size()
              + " days, which is too long to be asked for part by part; expected at most "
              + MAX_PARTS
              + " parts. Use 'split': 'none', and let the query group by time.");
    }
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < days.size(); i += step) {
      Instant begin = i == 0 ? window.from() : start(days.get(i), zone);
      boolean isLast = i + step >= days.size();
      Instant end = isLast ? window.to() : start(days.get(i + step), zone);
      parts.add(new Part(days.get(i).toString(), new DataWindow(begin, end)));
    }
    return parts;
  }

  private static Instant start(LocalDate day, ZoneId zone) {
    return day.atTime(LocalTime.MIDNIGHT).atZone(zone).toInstant();
  }
}
