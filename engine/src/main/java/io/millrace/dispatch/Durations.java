package io.millrace.dispatch;

import java.time.Duration;
import java.time.Instant;

/** Sums of time. */
final class Durations {

  private Durations() {}

  /** The time from one instant to another; zero when that has passed. */
  static Duration between(Instant from, Instant to) {
    Duration between = Duration.between(from, to);
    return between.isNegative() ? Duration.ZERO : between;
  }
}
