package io.millrace.server.api;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that starts at a given time, whatever the date, and runs like any other clock, except
 * that a test may let it skip some time.
 */
public final class RunningClock implements EngineClock {

  private final Instant start;
  private final long origin = System.nanoTime();
  private final AtomicLong skipped = new AtomicLong();

  public RunningClock(Instant start) {
    this.start = start;
  }

  @Override
  public Instant instant() {
    return start.plusNanos(nanoTime() - origin);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime() + skipped.get();
  }

  public void skip(Duration time) {
    skipped.addAndGet(time.toNanos());
  }
}
