package io.millrace.store;

import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.StateTiming;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A summary of the durations of handlers. Pure; used by every store. */
public final class StateTimings {

  /** Maximum number of instances that are read. */
  public static final int MAX_SAMPLES = 1_000;

  private StateTimings() {}

  /** Maximum number of attempts that are read; instances that go in circles have long histories. */
  public static final int MAX_ATTEMPTS = 20_000;

  /**
   * An attempt of a state's handler.
   *
   * @param to the state of the instance afterwards
   */
  public record Attempt(String state, String to, HistoryEntryType type, Duration took) {
    /** Returns true if this type of history entry is an attempt. */
    public static boolean isOne(HistoryEntryType type) {
      return type == HistoryEntryType.STATE_EXECUTION
          || type == HistoryEntryType.STATE_EXECUTION_FAILED;
    }
  }

  /** Returns the timings by state, in the order of their names. */
  public static List<StateTiming> of(List<Attempt> attempts) {
    Map<String, List<Attempt>> byState =
        attempts.stream()
            .collect(Collectors.groupingBy(Attempt::state, TreeMap::new, Collectors.toList()));
    return byState.entrySet().stream().map(e -> of(e.getKey(), e.getValue())).toList();
  }

  private static StateTiming of(String state, List<Attempt> attempts) {
    long[] nanos = attempts.stream().mapToLong(attempt -> attempt.took().toNanos()).toArray();
    Arrays.sort(nanos);
    long failed =
        attempts.stream().filter(a -> a.type() == HistoryEntryType.STATE_EXECUTION_FAILED).count();
    return new StateTiming(
        state,
        nanos.length,
        failed,
        part(nanos, 50),
        part(nanos, 95),
        part(nanos, 100),
        moves(attempts));
  }

  private static Map<String, Long> moves(List<Attempt> attempts) {
    return attempts.stream()
        .filter(attempt -> attempt.type() == HistoryEntryType.STATE_EXECUTION)
        .collect(Collectors.groupingBy(Attempt::to, TreeMap::new, Collectors.counting()));
  }

  /**
   * Returns a percentile: the smallest value that at least {@code percent} of a hundred values do
   * not exceed.
   */
  private static Duration part(long[] sorted, int percent) {
    int place = Math.ceilDiv(sorted.length * percent, 100) - 1;
    return Duration.ofNanos(sorted[Math.max(0, place)]);
  }
}
