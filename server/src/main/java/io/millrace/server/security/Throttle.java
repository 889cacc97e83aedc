package io.millrace.server.security;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A rate limit for names or addresses: each is admitted a number of times per period, which is also
 * the size of a burst. Thread-safe. Memory is fixed: names share buckets by a hash with a secret
 * seed, so that a caller can neither evict another name nor choose the names that share its bucket.
 */
public final class Throttle {

  private static final int BUCKETS = 1 << 14;

  private final EngineClock clock;
  private final long interval;
  private final long burst;
  private final long origin;
  private final String seed;

  /** Time at which each bucket would be full, in nanoseconds since the origin; never below 0. */
  private final AtomicLongArray full = new AtomicLongArray(BUCKETS);

  Throttle(EngineClock clock, int perMinute) {
    this(clock, perMinute, Duration.ofMinutes(1));
  }

  /** Creates a limit of {@code most} times in a period. */
  public Throttle(EngineClock clock, int most, Duration period) {
    this(clock, most, period, SecureTokens.random());
  }

  /** Creates a limit with a seed that decides which names share a bucket. */
  public Throttle(EngineClock clock, int most, Duration period, String seed) {
    this.seed = seed;
    this.clock = clock;
    this.interval = period.toNanos() / most;
    this.burst = interval * most;
    this.origin = clock.nanoTime();
  }

  /**
   * Counts a use by {@code name}.
   *
   * @return zero if it is admitted, else the time to wait; a rejected use is not counted
   */
  public Duration acquire(String name) {
    int bucket = Math.floorMod(SecureTokens.hash(seed + name).hashCode(), BUCKETS);
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
