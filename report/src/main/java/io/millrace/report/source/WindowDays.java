package io.millrace.report.source;

import io.millrace.schedule.DataWindow;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;

/** Computes the days of a window. */
public final class WindowDays {

  private WindowDays() {}

  /**
   * Returns the days, in order. Calendars may begin a day one second late; such a second after the
   * last midnight does not count as a day.
   */
  public static List<LocalDate> of(DataWindow window, ZoneId zone) {
    LocalDate first = LocalDate.ofInstant(window.from(), zone);
    LocalDate last = LocalDate.ofInstant(window.to().minusSeconds(1).minusNanos(1), zone);
    return last.isAfter(first) ? first.datesUntil(last.plusDays(1)).toList() : List.of(first);
  }
}
