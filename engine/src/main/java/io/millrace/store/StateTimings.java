package io.millrace.store;

import io.millrace.instance.HistoryEntryType;
import io.millrace.store.StatisticsStore.StateTiming;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Sums up how long handlers ran. Pure; every store asks here. */
public final class StateTimings {

  /** Most instances that are looked at. */
  public static final int MAX_SAMPLES = 1_000;

  private StateTimings() {}

  /** Most attempts that are looked at; instances that go in circles have long histories. */
  public static final int MAX_ATTEMPTS = 20_000;

  /**
   * An attempt of a state's handler.
   *
   * @param to the state in which the instance was afterwards
   */
  public record Attempt(String state, String to, HistoryEntryType type, Duration took) {
    /** True when this type of action is an attempt. */
    public static boolean isOne(HistoryEntryType type) {
      return type == HistoryEntryType.STATE_EXECUTION
          || type == HistoryEntryType.STATE_EXECUTION_FAILED;
    }
  }

  /** By state, in the order of their names. */
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

  /** The smallest that at least so many of a hundred do not exceed. */
  private static Duration part(long[] sorted, int percent) {
    int place = Math.ceilDiv(sorted.length * percent, 100) - 1;
    return Duration.ofNanos(sorted[Math.max(0, place)]);
  }
}
