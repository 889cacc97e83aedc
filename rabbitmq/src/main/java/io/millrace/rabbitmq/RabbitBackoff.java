package io.millrace.rabbitmq;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Growing delays, half of each random, so that many nodes do not reconnect at once. */
final class RabbitBackoff {

  private final long firstMillis;
  private final long longestMillis;
  private final RandomGenerator random;
  private int tries;

  RabbitBackoff(Duration first, Duration longest, RandomGenerator random) {
    this.firstMillis = first.toMillis();
    this.longestMillis = longest.toMillis();
    this.random = random;
  }

  Duration next() {
    return after(tries++);
  }

  /** Returns the delay after the given number of earlier ones. */
  Duration after(int earlier) {
    long full = Math.min(longestMillis, firstMillis << Math.clamp(earlier, 0, 20));
    return Duration.ofMillis(full / 2 + random.nextLong(full / 2 + 1));
  }

  void reset() {
    tries = 0;
  }
}
