package io.millrace.server.notice;

import io.millrace.continuous.RecycleSettingsService;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** The planned maintenance as an iCalendar feed (RFC 5545). */
final class IcalFeed {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** The title of a window in which servers restart. */
  static final String RECYCLE = "Servers restart";

  private static final Instant BEGINNING = Instant.parse("2020-01-01T00:00:00Z");

  /** Upper limit of the bytes of a line, without its end. */
  private static final int LINE = 75;

  private final StringBuilder text = new StringBuilder();

  private IcalFeed() {}

  /**
   * Returns the feed of all maintenance.
   *
   * @param recycles windows in which servers restart; each is a separate event, since a recurrence
   *     rule would need the clock changes of its zone
   * @param host part of the identifiers of the events, which never change
   */
  static String of(
      List<Maintenance> all,
      List<RecycleSettingsService.Window> recycles,
      String host,
      Instant now) {
    IcalFeed calendar = new IcalFeed();
    calendar.line("BEGIN:VCALENDAR");
    calendar.line("VERSION:2.0");
    calendar.line("PRODID:-//Millrace//Maintenance//EN");
    calendar.line("METHOD:PUBLISH");
    calendar.line("X-WR-CALNAME:Planned maintenance");
    all.forEach(one -> calendar.event(one, host, now));
    recycles.forEach(one -> calendar.event(one, host, now));
    calendar.line("END:VCALENDAR");
    return calendar.text.toString();
  }

  private void event(Maintenance one, String host, Instant now) {
    MaintenancePlan plan = one.plan();
    line("BEGIN:VEVENT");
    line("UID:maintenance-" + one.id() + "@" + host);
    line("DTSTAMP:" + TIME.format(now));
    line("LAST-MODIFIED:" + TIME.format(one.since()));
    line("SEQUENCE:" + sequence(one));
    line("DTSTART:" + TIME.format(plan.from()));
    line("DTEND:" + TIME.format(plan.until()));
    line("SUMMARY:" + escaped(plan.title()));
    line("DESCRIPTION:" + escaped(one.stage().label() + "\n" + plan.text()));
    line("STATUS:" + (one.stage() == MaintenanceStage.CANCELLED ? "CANCELLED" : "CONFIRMED"));
    line("END:VEVENT");
  }

  private void event(RecycleSettingsService.Window one, String host, Instant now) {
    line("BEGIN:VEVENT");
    line("UID:recycle-" + one.begins().toLocalDate() + "@" + host);
    line("DTSTAMP:" + TIME.format(now));
    line("DTSTART:" + TIME.format(one.from()));
    line("DTEND:" + TIME.format(one.until()));
    line("SUMMARY:" + RECYCLE);
    line("DESCRIPTION:" + escaped(recycling(one)));
    line("STATUS:CONFIRMED");
    line("TRANSP:TRANSPARENT");
    line("END:VEVENT");
  }

  /** Returns the description of a window. */
  static String recycling(RecycleSettingsService.Window one) {
    return "Once a day, from "
        + one.begins().toLocalTime()
        + " "
        + one.begins().getZone()
        + " on, one server after another restarts. Work continues.";
  }

  /**
   * Returns the sequence number, which grows with each change, as calendars require. It does not
   * overflow before 2088.
   */
  private static long sequence(Maintenance one) {
    return Duration.between(BEGINNING, one.since()).toSeconds() + one.revision();
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\")
        .replace(";", "\\;")
        .replace(",", "\\,")
        .replaceAll("\r\n|\r|\n", "\\\\n")
        .replaceAll("\\p{Cntrl}", " ");
  }

  /**
   * Appends a content line. A long line is folded between characters, and continues after a space.
   */
  private void line(String content) {
    int bytes = 0;
    for (int i = 0; i < content.length(); ) {
      int point = content.codePointAt(i);
      String one = Character.toString(point);
      int size = one.getBytes(StandardCharsets.UTF_8).length;
      if (bytes + size > LINE) {
        text.append("\r\n ");
        bytes = 1;
      }
      text.append(one);
      bytes += size;
      i += one.length();
    }
    text.append("\r\n");
  }
}
