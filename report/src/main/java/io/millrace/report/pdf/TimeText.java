package io.millrace.report.pdf;

import io.millrace.schedule.DataWindow;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats times for readers. */
public final class TimeText {

  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMMM yyyy", Locale.ENGLISH);
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm z", Locale.ENGLISH);

  private TimeText() {}

  /** Formats a moment, to the minute: {@code 23 November 2026, 06:00 UTC}. */
  public static String moment(Instant moment, ZoneId zone) {
    return MINUTE.format(moment.atZone(zone)).replace(" Z", " UTC");
  }

  /** Formats a window: {@code 16 – 22 November 2026} when it consists of whole days. */
  public static String window(DataWindow window, ZoneId zone) {
    ZonedDateTime from = window.from().atZone(zone);
    ZonedDateTime to = window.to().atZone(zone);
    if (!beginsDay(from) || !beginsDay(to)) {
      return moment(window.from(), zone) + " – " + moment(window.to(), zone);
    }
    LocalDate first = from.toLocalDate();
    LocalDate last = to.toLocalDate().minusDays(1);
    if (!first.isBefore(last)) {
      return DAY.format(first);
    }
    String begin =
        first.getYear() != last.getYear()
            ? "d MMMM yyyy"
            : first.getMonth() == last.getMonth() ? "d" : "d MMMM";
    return DateTimeFormatter.ofPattern(begin, Locale.ENGLISH).format(first)
        + " – "
        + DAY.format(last);
  }

  /**
   * True at the start of a day. Calendars may begin a day one second late, as those of the source
   * system do.
   */
  private static boolean beginsDay(ZonedDateTime time) {
    return !time.toLocalTime().isAfter(LocalTime.of(0, 0, 1));
  }
}
