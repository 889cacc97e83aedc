package io.millrace.lifecycle;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A throttle that passes one message per interval, so that a long fault does not flood the log. */
public final class IntervalThrottle {

  private final EngineClock clock;
  private final long interval;
  private final AtomicLong next;

  public IntervalThrottle(EngineClock clock, Duration interval) {
    this.clock = clock;
    this.interval = interval.toNanos();
    this.next = new AtomicLong(clock.nanoTime());
  }

  /** Returns true if no message has passed within the interval. */
  public boolean permits() {
    long now = clock.nanoTime();
    long allowedFrom = next.get();
    return now - allowedFrom >= 0 && next.compareAndSet(allowedFrom, now + interval);
  }
}
