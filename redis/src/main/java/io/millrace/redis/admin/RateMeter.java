package io.millrace.redis.admin;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Growth of totals in the last minute, as far as they were read. Thread-safe. */
final class RateMeter {

  private static final long SPAN = Duration.ofMinutes(1).toNanos();
  private static final long APART = Duration.ofSeconds(1).toNanos();

  private final EngineClock clock;
  private final Map<String, Deque<Sample>> samples = new HashMap<>();

  private record Sample(long nanos, long total) {}

  RateMeter(EngineClock clock) {
    this.clock = clock;
  }

  /** Records a total and returns how much it grows in a minute; 0 at the first reading. */
  synchronized double perMinute(String name, long total) {
    long now = clock.nanoTime();
    Deque<Sample> known = samples.computeIfAbsent(name, n -> new ArrayDeque<>());
    if (!known.isEmpty() && known.getLast().total > total) {
      known.clear(); // Redis was emptied
    }
    while (known.size() > 1 && now - known.getFirst().nanos > SPAN) {
      known.removeFirst();
    }
    Sample first = known.peekFirst();
    if (first == null || now - known.getLast().nanos >= APART) {
      known.addLast(new Sample(now, total));
    }
    return first == null || now - first.nanos < APART
        ? 0
        : Math.round((total - first.total) * 10.0 * SPAN / (now - first.nanos)) / 10.0;
  }
}
