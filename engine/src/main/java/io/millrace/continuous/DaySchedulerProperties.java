package io.millrace.continuous;

import io.millrace.instance.InvalidRequestException;
import io.millrace.schedule.CalendarPeriod;
import io.millrace.schedule.DayWindow;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A window of days, written as properties like those of other systems. */
record DaySchedulerProperties(Map<String, ?> values) {

  private static final Set<String> KNOWN =
      Set.of(
          "StartTime",
          "EndTime",
          "IntervalMinutes",
          "TimeZone",
          "DaysOfWeek",
          "FireMode",
          "Period");

  DaySchedulerProperties {
    for (String key : values.keySet()) {
      if (!KNOWN.contains(key)) {
        throw new InvalidRequestException(
            "A day scheduler has the property '"
                + key
                + "'; expected some of "
                + new TreeSet<>(KNOWN)
                + ".");
      }
    }
  }

  DayWindow window() {
    DayWindow window = DayWindow.of(needed("StartTime"), needed("EndTime"), interval());
    String days = text("DaysOfWeek");
    if (days != null && !days.isBlank()) {
      window = window.on(days(days));
    }
    String mode = text("FireMode");
    String period = text("Period");
    boolean perPeriod = "ONCE_PER_PERIOD".equalsIgnoreCase(mode);
    if (period != null && !perPeriod) {
      throw wrong("Period", period, "it with the FireMode ONCE_PER_PERIOD only");
    }
    if (perPeriod) {
      return window.oncePer(period == null ? CalendarPeriod.LOCAL_DATE : CalendarPeriod.of(period));
    }
    return switch (mode == null ? "EACH_INTERVAL" : mode.toUpperCase(Locale.ROOT)) {
      case "EACH_INTERVAL" -> window;
      case "ONCE_PER_WINDOW" -> window.oncePerWindow();
      default ->
          throw wrong(
              "FireMode", String.valueOf(mode), "EACH_INTERVAL, ONCE_PER_WINDOW, ONCE_PER_PERIOD");
    };
  }

  ZoneId zone() {
    String zone = text("TimeZone");
    return zone(zone == null ? "UTC" : zone);
  }

  /** Returns the zone of that name. */
  static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new InvalidRequestException(
          "The time zone '" + name + "' is unknown; expected one such as Europe/Berlin.");
    }
  }

  private Duration interval() {
    String minutes = needed("IntervalMinutes");
    try {
      return Duration.ofMinutes(Integer.parseInt(minutes.strip()));
    } catch (NumberFormatException e) {
      throw wrong("IntervalMinutes", minutes, "a whole number");
    }
  }

  private static DayOfWeek[] days(String names) {
    List<DayOfWeek> days = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      try {
        days.add(DayOfWeek.valueOf(name.strip().toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        throw wrong("DaysOfWeek", name, "days such as MONDAY, FRIDAY");
      }
    }
    return days.toArray(DayOfWeek[]::new);
  }

  private String needed(String key) {
    String text = text(key);
    if (text == null) {
      throw new InvalidRequestException(
          "A day scheduler lacks the property '"
              + key
              + "'; expected StartTime such as 08:00, EndTime and IntervalMinutes.");
    }
    return text;
  }

  private @Nullable String text(String key) {
    Object value = values.get(key);
    return value == null ? null : value.toString();
  }

  private static InvalidRequestException wrong(String key, String value, String expected) {
    return new InvalidRequestException(
        "A day scheduler has the " + key + " '" + value + "'; expected " + expected + ".");
  }
}
