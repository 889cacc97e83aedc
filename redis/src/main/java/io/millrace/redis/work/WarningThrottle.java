package io.millrace.redis.work;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Limits warnings to one a second, so that a long failure does not fill the log. */
final class WarningThrottle {

  private static final long INTERVAL = Duration.ofSeconds(1).toNanos();

  private final EngineClock clock;
  private final AtomicLong next;

  WarningThrottle(EngineClock clock) {
    this.clock = clock;
    this.next = new AtomicLong(clock.nanoTime());
  }

  boolean permits() {
    long now = clock.nanoTime();
    long from = next.get();
    return now - from >= 0 && next.compareAndSet(from, now + INTERVAL);
  }
}
