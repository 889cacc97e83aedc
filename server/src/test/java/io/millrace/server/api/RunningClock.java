package io.millrace.server.api;

import io.millrace.lifecycle.EngineClock;
import java.time.Instant;

/** Begins at a time of the test's choice, whatever the date, and runs on like any other clock. */
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
