package io.millrace.dispatch;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The growing waits after errors of the database: from 50 ms to 2 s, half of each random, so that
 * many nodes do not return at the same time and none waits too long.
 */
final class Backoff {

  private static final long FIRST_MILLIS = 50;
  private static final long MAX_MILLIS = 2000;

  private final RandomGenerator random;
  private int tries;

  Backoff(RandomGenerator random) {
    this.random = random;
  }

  Duration next() {
    long full = Math.min(MAX_MILLIS, FIRST_MILLIS << Math.min(tries, 10));
    tries++;
    return Duration.ofMillis(full / 2 + random.nextLong(full / 2 + 1));
  }

  int tries() {
    return tries;
  }

  void reset() {
    tries = 0;
  }
}
