package io.millrace.server.notice;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** Maintenance as a calendar that others subscribe to; RFC 5545. */
final class Ical {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private static final Instant BEGINNING = Instant.parse("2020-01-01T00:00:00Z");

  /** Most bytes of a line, without its end. */
  private static final int LINE = 75;

  private final StringBuilder text = new StringBuilder();

  private Ical() {}

  /**
   * All of them.
   *
   * @param host part of the names of the events, which stay the same
   */
  static String of(List<Maintenance> all, String host, Instant now) {
    Ical calendar = new Ical();
    calendar.line("BEGIN:VCALENDAR");
    calendar.line("VERSION:2.0");
    calendar.line("PRODID:-//Millrace//Maintenance//EN");
    calendar.line("METHOD:PUBLISH");
    calendar.line("X-WR-CALNAME:Planned maintenance");
    all.forEach(one -> calendar.event(one, host, now));
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
    line("DESCRIPTION:" + escaped(one.stage().words() + "\n" + plan.text()));
    line("STATUS:" + (one.stage() == Stage.CANCELLED ? "CANCELLED" : "CONFIRMED"));
    line("END:VEVENT");
  }

  /** Grows with whatever changes, as calendars want it, and has room until 2088. */
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

  /** A long line is broken between characters, and goes on behind a space. */
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
