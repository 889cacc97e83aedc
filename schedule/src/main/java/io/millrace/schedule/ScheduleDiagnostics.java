package io.millrace.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Warnings about probable mistakes in a schedule, and notes about it. */
final class ScheduleDiagnostics {

  /** Number of fires to examine; enough for three days of a schedule that fires every minute. */
  private static final int LOOKED_AT = 5_000;

  /** Maximum distance of the fires of a burst. */
  private static final Duration CLOSE = Duration.ofMinutes(1);

  /** Factor by which the pause after a burst must exceed its length to be suspicious. */
  private static final int SILENCE = 20;

  private static final int MANY_A_DAY = 10_000;
  private static final Duration FAR_AWAY = Duration.ofDays(5 * 366);
  private static final int LEAP_YEAR = 2024;
  private static final Duration YEAR = Duration.ofDays(366);

  private ScheduleDiagnostics() {}

  static List<String> warnings(Schedule schedule, Instant from, List<Slot> next) {
    if (next.isEmpty()) {
      Instant last = schedule.previousOrSame(from);
      return List.of(
          last == null ? "It never fires." : "It fires no more; the last was " + last + ".");
    }
    List<String> warnings = new ArrayList<>();
    Instant first = next.getFirst().at();
    if (Duration.between(from, first).compareTo(FAR_AWAY) > 0) {
      warnings.add("It does not fire before " + first + ".");
    }
    if (next.stream().allMatch(Slot::isExcluded)) {
      warnings.add("Calendars exclude all of its next " + next.size() + " fires.");
    }
    long daily = timesADay(schedule.recurrence());
    if (daily >= MANY_A_DAY) {
      warnings.add(
          String.format(
              Locale.ROOT, "It fires %,d times a day, and each fire is an execution.", daily));
    } else if (schedule.recurrence() instanceof Recurrence.Cron cron) {
      String burst = burst(schedule, first);
      if (burst != null) {
        warnings.add(burst);
      }
      String missing = missingDays(cron.expression().fields());
      if (missing != null) {
        warnings.add(missing);
      }
    }
    return warnings;
  }

  private static long timesADay(Recurrence recurrence) {
    return switch (recurrence) {
      case Recurrence.Calendar calendar -> 1;
      case Recurrence.Cron cron -> cron.expression().fields().timesADay();
      case Recurrence.Interval interval -> Duration.ofDays(1).dividedBy(interval.every());
      case DayWindow window ->
          window.once() == null ? window.length().dividedBy(window.every()) + 1 : 1;
    };
  }

  /** Warns of fires close together followed by a long pause: often two fields were confused. */
  private static @Nullable String burst(Schedule schedule, Instant first) {
    Instant before = schedule.previous(first);
    // A burst that has already started is left out, since its count would be too low.
    int fires = before == null || isSilence(Duration.between(before, first)) ? 1 : -LOOKED_AT;
    Instant begin = first;
    Instant at = first;
    for (int i = 0; i < LOOKED_AT; i++) {
      Instant next = schedule.next(at);
      if (next == null) {
        return null;
      }
      Duration silence = Duration.between(at, next);
      if (!isSilence(silence)) {
        fires++;
      } else {
        Duration length = Duration.between(begin, at);
        if (fires > 1 && length.multipliedBy(SILENCE).compareTo(silence) <= 0) {
          return String.format(
              Locale.ROOT,
              "It fires %,d times within %s, and then not for %s. The first field counts seconds, the second minutes, the third hours.",
              fires,
              ScheduleDescriber.duration(length),
              ScheduleDescriber.duration(silence));
        }
        begin = next;
        fires = 1;
      }
      at = next;
    }
    return null;
  }

  private static boolean isSilence(Duration gap) {
    return gap.compareTo(CLOSE) > 0;
  }

  /** Warns about missing days, such as {@code 31} for the last day of the month. */
  private static @Nullable String missingDays(CronFields fields) {
    boolean leavesOut =
        fields.months().stream()
            .mapToObj(month -> YearMonth.of(LEAP_YEAR, month))
            .anyMatch(month -> fields.days().stream().allMatch(rule -> isTooLateFor(month, rule)));
    return leavesOut
        ? "It leaves out months that are too short. The last day of any month is L."
        : null;
  }

  private static boolean isTooLateFor(YearMonth month, CronFields.DayRule rule) {
    return (rule instanceof CronFields.DaysOfMonth || rule instanceof CronFields.NearestWorkday)
        && rule.days(month).isEmpty();
  }

  /** Returns notes about a cron at the clock changes of the coming year. */
  static List<String> notes(Schedule schedule, Instant from) {
    List<String> notes = new ArrayList<>();
    if (schedule.recurrence() instanceof Recurrence.Cron cron
        && !cron.expression().fields().everyHour()) {
      ZoneId zone = schedule.zone();
      ZoneOffsetTransition change = zone.getRules().nextTransition(from);
      while (change != null && change.getInstant().isBefore(from.plus(YEAR))) {
        boolean gap = change.isGap();
        LocalDateTime begin = gap ? change.getDateTimeBefore() : change.getDateTimeAfter();
        LocalDateTime end = gap ? change.getDateTimeAfter() : change.getDateTimeBefore();
        LocalDateTime time = cron.expression().nextOrSame(begin);
        if (time != null && time.isBefore(end)) {
          notes.add(
              "%s %s: it fires %s (DST policy %s)."
                  .formatted(
                      time,
                      gap ? "does not exist" : "exists twice",
                      fires(cron.dst(), change),
                      cron.dst()));
        }
        change = zone.getRules().nextTransition(change.getInstant());
      }
    }
    return notes;
  }

  private static String fires(DstPolicy policy, ZoneOffsetTransition change) {
    if (change.isGap()) {
      return policy == DstPolicy.SKIP
          ? "not then"
          : "at " + change.getDateTimeAfter().toLocalTime();
    }
    return switch (policy) {
      case SKIP, EARLIER -> "the first time";
      case LATER -> "the second time";
      case BOTH -> "both times";
    };
  }
}
