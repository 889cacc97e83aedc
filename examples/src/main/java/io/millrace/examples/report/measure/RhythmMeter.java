package io.millrace.examples.report.measure;

import io.millrace.examples.report.measure.Measures.Rhythm;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** A meter of the times at which commits are made. */
final class RhythmMeter {

  private long[] times = new long[1024];
  private int count;
  private final int[] hours = new int[7 * 24];

  void add(long time, LocalDateTime local) {
    if (count == times.length) {
      times = Arrays.copyOf(times, 2 * count);
    }
    times[count++] = time;
    hours[(local.getDayOfWeek().getValue() - 1) * 24 + local.getHour()]++;
  }

  Rhythm rhythm() {
    long[] sorted = Arrays.copyOf(times, count);
    Arrays.sort(sorted);
    long[] gaps = gaps(sorted);
    return new Rhythm(
        Instant.ofEpochSecond(count == 0 ? 0 : sorted[0]),
        Instant.ofEpochSecond(count == 0 ? 0 : sorted[count - 1]),
        median(gaps),
        classes(gaps),
        Arrays.stream(hours).boxed().toList());
  }

  /** Returns the times between neighboring commits, the shortest first. */
  private static long[] gaps(long[] sorted) {
    long[] gaps = new long[Math.max(0, sorted.length - 1)];
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = sorted[i + 1] - sorted[i];
    }
    Arrays.sort(gaps);
    return gaps;
  }

  private static long median(long[] sorted) {
    if (sorted.length == 0) {
      return 0;
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1
        ? sorted[middle]
        : Math.floorDiv(sorted[middle - 1] + sorted[middle], 2);
  }

  private static Map<CommitGap, Integer> classes(long[] gaps) {
    Map<CommitGap, Integer> counts = new EnumMap<>(CommitGap.class);
    for (long gap : gaps) {
      counts.merge(CommitGap.of(gap), 1, Integer::sum);
    }
    return counts;
  }
}
