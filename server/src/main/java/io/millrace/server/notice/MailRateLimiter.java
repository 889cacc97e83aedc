package io.millrace.server.notice;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;

/** A queue of mails that sends a burst at once and then one mail per interval. Thread-safe. */
public final class MailRateLimiter {

  private final EngineClock clock;
  private final long interval;
  private final long burst;

  /** Earliest time of the next mail on the monotonic clock; may be in the past. */
  private long next;

  MailRateLimiter(EngineClock clock, Duration interval, int burst) {
    this.clock = clock;
    this.interval = interval.toNanos();
    this.burst = this.interval * (burst - 1);
    this.next = clock.nanoTime() - this.burst;
  }

  /** Returns the time until the next mail may be sent. */
  synchronized Duration delay() {
    return Duration.ofNanos(Math.max(0, next - clock.nanoTime()));
  }

  /** Reserves the next mail and returns the time until it may be sent. */
  synchronized Duration reserve() {
    long now = clock.nanoTime();
    long at = Math.max(next, now - burst);
    next = at + interval;
    return Duration.ofNanos(Math.max(0, at - now));
  }
}
