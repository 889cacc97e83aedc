package io.millrace.examples.report.measure;

import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats numbers and times for people. */
public final class HumanFormat {

  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMM uuuu", Locale.ENGLISH);

  private HumanFormat() {}

  /** Returns a number with a comma every three digits: 12,345. */
  public static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Returns a number with its noun: "1 commit", "2 commits". */
  public static String count(long number, String noun) {
    return number(number) + " " + noun + (number == 1 ? "" : "s");
  }

  /** Returns a number with three significant digits: 12.3k, 4.56M. */
  public static String abbreviate(long number) {
    if (number < 10_000) {
      return number(number);
    }
    double value = number;
    int unit = -1;
    while (value >= 999.5 && unit < 3) {
      value /= 1000;
      unit++;
    }
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return String.format(Locale.ROOT, "%." + decimals + "f%s", value, "kMBT".charAt(unit));
  }

  /** Returns the two largest units of a duration: "2 h 5 min". */
  public static String duration(Duration duration) {
    long seconds = duration.toSeconds();
    if (seconds < 60) {
      return seconds + " s";
    }
    if (seconds < 3_600) {
      return two(seconds / 60, "min", seconds % 60, "s");
    }
    if (seconds < 86_400) {
      return two(seconds / 3_600, "h", seconds % 3_600 / 60, "min");
    }
    return two(seconds / 86_400, seconds < 172_800 ? "day" : "days", seconds % 86_400 / 3_600, "h");
  }

  /** Returns a short duration: "0.8 s", "12 s", "2 min 5 s". */
  public static String seconds(Duration duration) {
    return duration.toSeconds() < 10
        ? String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0)
        : duration(duration);
  }

  private static String two(long large, String largeUnit, long small, String smallUnit) {
    String first = number(large) + " " + largeUnit;
    return small == 0 || large >= 100 ? first : first + " " + small + " " + smallUnit;
  }

  /** Returns a date such as 3 Mar 2026. */
  public static String day(LocalDate day) {
    return DAY.format(day);
  }

  /** Returns a part of a whole as a percentage: 12 %. */
  public static String share(long part, long whole) {
    if (whole == 0 || part == 0) {
      return "0 %";
    }
    double percent = 100.0 * part / whole;
    return percent < 1 ? "< 1 %" : Math.round(percent) + " %";
  }
}
