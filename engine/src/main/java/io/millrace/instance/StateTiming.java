package io.millrace.instance;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The durations and next states of the handler of a state.
 *
 * @param count attempts
 * @param failed attempts that failed
 * @param moves number of successful attempts by the name of the next state
 */
public record StateTiming(
    String state,
    long count,
    long failed,
    Duration p50,
    Duration p95,
    Duration max,
    Map<String, Long> moves) {
  public StateTiming {
    moves = Collections.unmodifiableMap(new TreeMap<>(moves));
  }
}
