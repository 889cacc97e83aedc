package io.millrace.redis.connect;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Growing delays between attempts, of random length so that processes do not retry in step. */
final class ReconnectBackoff {

  private static final long FIRST = Duration.ofMillis(50).toNanos();
  private static final long MAX = Duration.ofSeconds(1).toNanos();

  private final RandomGenerator random;
  private long next = FIRST;

  ReconnectBackoff(RandomGenerator random) {
    this.random = random;
  }

  /** Returns the next delay in nanoseconds, which is at least half of the step. */
  long next() {
    long step = next;
    next = Math.min(MAX, step * 2);
    return step / 2 + random.nextLong(step / 2);
  }

  void reset() {
    next = FIRST;
  }
}
