package io.millrace.testing;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.time.Instant;

/**
 * A clock that moves only when told. Its {@link #nanoTime()} moves on with it and never goes back,
 * as on a real machine whose wall clock is corrected. Thread-safe.
 */
public final class SettableClock implements EngineClock {

  private Instant instant;
  private long nanos;

  private SettableClock(Instant start) {
    this.instant = start;
  }

  /** Returns a clock that shows {@code start}. */
  public static SettableClock at(Instant start) {
    return new SettableClock(start);
  }

  /** Lets time pass. */
  public synchronized void advance(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException(
          "The clock cannot advance by "
              + time
              + "; expected zero or more. Use set to turn it back.");
    }
    instant = instant.plus(time);
    nanos += time.toNanos();
  }

  /** Sets another time, earlier or later. An earlier one leaves {@link #nanoTime()} as it is. */
  public synchronized void set(Instant time) {
    if (time.isAfter(instant)) {
      nanos += Duration.between(instant, time).toNanos();
    }
    instant = time;
  }

  @Override
  public synchronized Instant instant() {
    return instant;
  }

  @Override
  public synchronized long nanoTime() {
    return nanos;
  }

  @Override
  public String toString() {
    return "SettableClock[" + instant() + "]";
  }
}
