package io.millrace.redis.work;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Growing delays after failures of the server: from 50 ms to 5 s, half of each random, so that many
 * workers do not retry at once. For one thread.
 */
final class WorkerBackoff {

  private static final long FIRST_MILLIS = 50;
  private static final long MAX_MILLIS = 5_000;

  private final RandomGenerator random;
  private int tries;

  WorkerBackoff(RandomGenerator random) {
    this.random = random;
  }

  Duration next() {
    long full = Math.min(MAX_MILLIS, FIRST_MILLIS << Math.min(tries, 10));
    tries++;
    return Duration.ofMillis(full / 2 + random.nextLong(full / 2 + 1));
  }

  void reset() {
    tries = 0;
  }
}
