package io.millrace.observe;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Meters by the values of two tags. There are at most {@code limit} pairs of values; later ones
 * share one meter, because names chosen at run time must not fill the memory of the monitoring
 * system. Looking up a known pair allocates nothing. Thread-safe.
 */
final class MeterFamily<M> {

  /** Value of both tags for pairs over the limit. */
  static final String OTHER = "other";

  private final int limit;
  private final BiFunction<String, String, M> maker;
  private final Map<String, Map<String, M>> meters = new ConcurrentHashMap<>();
  private @Nullable M overflow;
  private int pairs;

  MeterFamily(int limit, BiFunction<String, String, M> maker) {
    this.limit = limit;
    this.maker = maker;
  }

  M of(String first, String second) {
    Map<String, M> seconds = meters.get(first);
    M meter = seconds == null ? null : seconds.get(second);
    return meter != null ? meter : add(first, second);
  }

  private synchronized M add(String first, String second) {
    Map<String, M> seconds = meters.getOrDefault(first, Map.of());
    M known = seconds.get(second);
    if (known != null) {
      return known;
    }
    if (pairs == limit) {
      overflow = overflow == null ? maker.apply(OTHER, OTHER) : overflow;
      return overflow;
    }
    pairs++;
    M meter = maker.apply(first, second);
    meters.computeIfAbsent(first, name -> new ConcurrentHashMap<>()).put(second, meter);
    return meter;
  }
}
