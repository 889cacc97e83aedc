package io.millrace.schedule;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Descriptions of schedules in English. */
final class ScheduleDescriber {

  private ScheduleDescriber() {}

  static String of(Schedule schedule) {
    StringBuilder words = new StringBuilder();
    String zone = schedule.zone().getId();
    switch (schedule.recurrence()) {
      case Recurrence.Calendar calendar -> {
        LocalDate start = calendar.start();
        LocalDate end = calendar.end();
        words.append(days(schedule, calendar).formatted("at 00:00:01 " + zone));
        boolean counted = calendar.frequency().isSprint();
        if (start != null && !counted && calendar.frequency() != Frequency.ONETIME) {
          words.append(", from ").append(start);
        }
        if (end != null && calendar.frequency() != Frequency.ONETIME) {
          words.append(", to ").append(end);
        }
      }
      case Recurrence.Cron cron ->
          words
              .append("cron ")
              .append(cron.expression().text())
              .append(": ")
              .append(CronDescriber.of(cron.expression().fields()))
              .append(", ")
              .append(zone);
      case Recurrence.Interval interval ->
          words
              .append("every ")
              .append(duration(interval.every()))
              .append(", counted from ")
              .append(interval.anchor());
      case DayWindow window -> words.append(within(window)).append(zone);
    }
    if (!schedule.recurs() && !isOnetime(schedule)) {
      words.append(", one run only");
    }
    if (schedule.until() != null) {
      words.append(", until ").append(schedule.until());
    }
    for (ExclusionCalendar calendar : schedule.calendars()) {
      words.append(", except in calendar '").append(calendar.name()).append('\'');
    }
    return words.toString();
  }

  private static boolean isOnetime(Schedule schedule) {
    return schedule.recurrence() instanceof Recurrence.Calendar calendar
        && calendar.frequency() == Frequency.ONETIME;
  }

  private static String within(DayWindow window) {
    String times =
        " from %s to %s, %s, ".formatted(window.start(), window.end(), window.dayNames());
    CalendarPeriod once = window.once();
    return once == null
        ? "every " + duration(window.every()) + times
        : "once a %s, every %s".formatted(period(once), duration(window.every()))
            + " from %s to %s until it has run, %s, "
                .formatted(window.start(), window.end(), window.dayNames());
  }

  private static String period(CalendarPeriod calendarPeriod) {
    return switch (calendarPeriod) {
      case LOCAL_DATE -> "day";
      case ISO_WEEK -> "week";
      case LOCAL_MONTH -> "month";
      case LOCAL_HOUR -> "hour";
    };
  }

  static String name(DayOfWeek day) {
    return day.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  private static String days(Schedule schedule, Recurrence.Calendar calendar) {
    return switch (calendar.frequency()) {
      case ONETIME -> {
        LocalDate last = calendar.end() == null ? LocalDate.MIN : calendar.end();
        yield "once, on " + last.plusDays(1) + " %s, for " + calendar.start() + " to " + last;
      }
      case DAILY -> "every day %s, for the day before";
      case WEEKLY -> "every " + name(schedule.weekStart()) + " %s, for the week before";
      case BI_WEEKLY_SPRINT -> "every 14 days from " + calendar.start() + " %s, for these 14 days";
      case TRI_WEEKLY_SPRINT -> "every 21 days from " + calendar.start() + " %s, for these 21 days";
      case MONTHLY -> "on the first day of every month %s, for the month before";
      case QUARTERLY -> "on the first day of every quarter %s, for the quarter before";
      case YEARLY -> "every 1 January %s, for the year before";
    };
  }

  /** Formats a duration with its two largest units: 23 hours 59 minutes. */
  static String duration(Duration duration) {
    long[] counts = {
      duration.toDays(), duration.toHoursPart(), duration.toMinutesPart(), duration.toSecondsPart()
    };
    String[] units = {"day", "hour", "minute", "second"};
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < counts.length && parts.size() < 2; i++) {
      if (counts[i] != 0) {
        parts.add(counts[i] + " " + units[i] + (counts[i] == 1 ? "" : "s"));
      } else if (!parts.isEmpty()) {
        break;
      }
    }
    return parts.isEmpty() ? "0 seconds" : String.join(" ", parts);
  }
}
