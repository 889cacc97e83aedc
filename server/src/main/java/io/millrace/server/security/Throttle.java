package io.millrace.server.security;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Lets each name or address through so often a minute, and as often at once. Thread-safe. Memory is
 * fixed: names share buckets by a hash with a secret seed, so nobody can push another one out, nor
 * choose whom to share with.
 */
final class Throttle {

  private static final int BUCKETS = 1 << 14;

  private final EngineClock clock;
  private final long interval;
  private final long burst;
  private final long origin;
  private final String seed = Tokens.random();

  /** The time at which the bucket would be full, as nanoseconds since the origin; never below 0. */
  private final AtomicLongArray full = new AtomicLongArray(BUCKETS);

  Throttle(EngineClock clock, int perMinute) {
    this.clock = clock;
    this.interval = Duration.ofMinutes(1).toNanos() / perMinute;
    this.burst = interval * perMinute;
    this.origin = clock.nanoTime();
  }

  /** Zero when {@code name} may, else how long it has to wait; one that waits costs nothing. */
  Duration take(String name) {
    int bucket = Math.floorMod(Tokens.hash(seed + name).hashCode(), BUCKETS);
    while (true) {
      long now = clock.nanoTime() - origin;
      long before = full.get(bucket);
      long after = Math.max(before, now) + interval;
      if (after > now + burst) {
        return Duration.ofNanos(after - burst - now);
      }
      if (full.compareAndSet(bucket, before, after)) {
        return Duration.ZERO;
      }
    }
  }
}
