package io.millrace.dispatch;

import java.time.Duration;
import java.time.Instant;

/** Computations with durations. */
final class Durations {

  private Durations() {}

  /** Returns the time from one instant to another; zero if the second is earlier. */
  static Duration between(Instant from, Instant to) {
    Duration between = Duration.between(from, to);
    return between.isNegative() ? Duration.ZERO : between;
  }
}
