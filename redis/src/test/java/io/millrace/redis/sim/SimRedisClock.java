package io.millrace.redis.sim;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test advances; the simulated server and its clients share one. */
public final class SimRedisClock implements EngineClock {

  private final AtomicLong millis =
      new AtomicLong(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());

  @Override
  public long millis() {
    return millis.get();
  }

  public void set(long epochMillis) {
    millis.set(epochMillis);
  }

  public void advance(Duration time) {
    millis.addAndGet(time.toMillis());
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis.get());
  }

  @Override
  public long nanoTime() {
    return Duration.ofMillis(millis.get()).toNanos();
  }
}
