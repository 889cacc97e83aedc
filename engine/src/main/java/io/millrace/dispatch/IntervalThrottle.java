package io.millrace.dispatch;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A throttle that passes one message per interval, so that a long fault does not flood the log. */
final class IntervalThrottle {

  private final EngineClock clock;
  private final long interval;
  private final AtomicLong next;

  IntervalThrottle(EngineClock clock, Duration interval) {
    this.clock = clock;
    this.interval = interval.toNanos();
    this.next = new AtomicLong(clock.nanoTime());
  }

  boolean permits() {
    long now = clock.nanoTime();
    long allowedFrom = next.get();
    return now - allowedFrom >= 0 && next.compareAndSet(allowedFrom, now + interval);
  }
}
