package io.millrace.redis.connect;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Longer and longer rests between tries, of random length so that processes do not march. */
final class ReconnectBackoff {

  private static final long FIRST = Duration.ofMillis(50).toNanos();
  private static final long MAX = Duration.ofSeconds(1).toNanos();

  private final RandomGenerator random;
  private long next = FIRST;

  ReconnectBackoff(RandomGenerator random) {
    this.random = random;
  }

  /** How long to rest now, in nanoseconds: half of the step at least. */
  long rest() {
    long step = next;
    next = Math.min(MAX, step * 2);
    return step / 2 + random.nextLong(step / 2);
  }

  void reset() {
    next = FIRST;
  }
}
