package io.millrace.server.api;

import io.millrace.lifecycle.EngineClock;
import java.time.Instant;

/** A clock that starts at a given time, whatever the date, and runs like any other clock. */
final class RunningClock implements EngineClock {

  private final Instant start;
  private final long origin = System.nanoTime();

  RunningClock(Instant start) {
    this.start = start;
  }

  @Override
  public Instant instant() {
    return start.plusNanos(nanoTime() - origin);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }
}
