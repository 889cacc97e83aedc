package io.millrace.server.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A parser of times in filters: a time, a date in the zone of this machine, or an age. */
final class FilterTimeParser {

  private static final Pattern AGE = Pattern.compile("(\\d{1,6})([smhd])");

  private FilterTimeParser() {}

  /** Returns the time for the server. */
  static String read(String option, String text) {
    return read(option, text, Instant.now(), ZoneId.systemDefault());
  }

  static String read(String option, String text, Instant now, ZoneId zone) {
    Matcher age = AGE.matcher(text);
    if (age.matches()) {
      long number = Long.parseLong(age.group(1));
      Duration before =
          switch (age.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
          };
      return now.minus(before).truncatedTo(ChronoUnit.SECONDS).toString();
    }
    try {
      return text.length() == 10
          ? LocalDate.parse(text).atStartOfDay(zone).toInstant().toString()
          : Instant.parse(text).toString();
    } catch (DateTimeException e) {
      throw new CliException(
          ExitCodes.USAGE,
          option
              + " is '"
              + text
              + "'; expected a time such as 2026-11-21T08:00:00Z, a date such as 2026-11-21, or an"
              + " age such as 24h or 7d.");
    }
  }
}
