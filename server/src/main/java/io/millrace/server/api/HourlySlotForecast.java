package io.millrace.server.api;

import io.millrace.schedule.Schedule;
import io.millrace.sequence.UpcomingRun;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;

/** The number of planned slots in each of the next hours. */
final class HourlySlotForecast {

  private static final int HOURS = 24;

  /** Number of slots above which a sequence is counted by the hour instead of slot by slot. */
  private static final int MAX = 2 * HOURS;

  private static final Duration HOUR = Duration.ofHours(1);

  private HourlySlotForecast() {}

  /**
   * Returns the numbers; the first is that of the hour that contains {@code now} in the given zone.
   */
  static List<Integer> of(List<UpcomingRun> runs, Instant now, ZoneId zone) {
    Instant begin = now.atZone(zone).truncatedTo(ChronoUnit.HOURS).toInstant();
    int[] load = new int[HOURS];
    for (UpcomingRun run : runs) {
      if (run.at().isBefore(begin.plus(HOUR.multipliedBy(HOURS)))) {
        add(run, now, begin, load);
      }
    }
    return Arrays.stream(load).boxed().toList();
  }

  private static void add(UpcomingRun run, Instant now, Instant begin, int[] load) {
    SlotCursor slots = SlotCursor.of(run, now);
    int[] own = new int[HOURS];
    for (int i = 0; i <= MAX; i++) {
      Instant at = slots.peek();
      long hour = at == null ? HOURS : Duration.between(begin, at).dividedBy(HOUR);
      if (hour >= HOURS) {
        sum(own, load);
        return;
      }
      own[(int) hour] += slots.next().isExcluded() ? 0 : 1;
    }
    sum(run.schedule().recurs() ? byTheHour(run, now, begin) : own, load);
  }

  private static void sum(int[] more, int[] load) {
    for (int i = 0; i < HOURS; i++) {
      load[i] += more[i];
    }
  }

  /** Counts each hour as a whole: with all its slots, or with none if the first is excluded. */
  private static int[] byTheHour(UpcomingRun run, Instant now, Instant begin) {
    Schedule schedule = run.schedule();
    int[] counts = new int[HOURS];
    Instant from = run.at().isBefore(now) ? now : run.at();
    for (int i = 0; i < HOURS; i++) {
      Instant end = begin.plus(HOUR.multipliedBy(i + 1L));
      Instant first = from.isBefore(end) ? schedule.nextOrSame(from) : null;
      if (first != null && first.isBefore(end)) {
        counts[i] =
            schedule.slot(first).isExcluded()
                ? 0
                : Math.toIntExact(schedule.countBetween(first, end));
        from = end;
      }
    }
    return counts;
  }
}
