package io.millrace.redis.wire;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Generator of ids of jobs and workers: UUIDs of version 7, which begin with the time in
 * milliseconds. The ids of one generator ascend, also when the clock goes back. Thread-safe.
 */
public final class UuidV7Generator {

  /** Number of bits after the time that count within a millisecond; 62 random bits follow. */
  private static final int COUNT_BITS = 12;

  private static final long COUNT = (1L << COUNT_BITS) - 1;
  private static final long VERSION = 7L << COUNT_BITS;
  private static final long VARIANT = 1L << 63;
  private static final long CHANCE = (1L << 62) - 1;
  private static final int ID_VERSION = 7;

  /**
   * Range of the first count of a millisecond, the lower half, which leaves room for at least 2,048
   * ids.
   */
  private static final int FIRST_COUNTS = 1 << (COUNT_BITS - 1);

  private final InstantSource clock;
  private final RandomGenerator random;
  private final AtomicLong last = new AtomicLong();

  /**
   * Creates a generator.
   *
   * @param random thread-safe
   */
  public UuidV7Generator(InstantSource clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  /** Returns a new id, in lower case. */
  public String next() {
    long begin = clock.millis() << COUNT_BITS | random.nextInt(FIRST_COUNTS);
    // A count that overflows borrows from the next millisecond.
    long mark = last.updateAndGet(before -> Math.max(before + 1, begin));
    long high = (mark & ~COUNT) << (Long.SIZE - 48 - COUNT_BITS) | VERSION | (mark & COUNT);
    return new UUID(high, VARIANT | (random.nextLong() & CHANCE)).toString();
  }

  /** Returns when an id was created; empty for one of another kind. */
  public static Optional<Instant> timeOf(String id) {
    if (id.length() != 36) {
      return Optional.empty();
    }
    try {
      UUID uuid = UUID.fromString(id);
      return uuid.version() == ID_VERSION
          ? Optional.of(Instant.ofEpochMilli(uuid.getMostSignificantBits() >>> 16))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
