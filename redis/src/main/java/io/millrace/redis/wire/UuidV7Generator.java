package io.millrace.redis.wire;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Ids of jobs and workers: UUIDs of version 7, which begin with the time in milliseconds. Those of
 * one object ascend, also when the clock goes back. Thread-safe.
 */
public final class UuidV7Generator {

  /** After the time come 12 bits that count within a millisecond, then 62 of chance. */
  private static final int COUNT_BITS = 12;

  private static final long COUNT = (1L << COUNT_BITS) - 1;
  private static final long VERSION = 7L << COUNT_BITS;
  private static final long VARIANT = 1L << 63;
  private static final long CHANCE = (1L << 62) - 1;
  private static final int ID_VERSION = 7;

  /** A count begins in its lower half, so that a millisecond has room for 2,048 ids and more. */
  private static final int FIRST_COUNTS = 1 << (COUNT_BITS - 1);

  private final InstantSource clock;
  private final RandomGenerator random;
  private final AtomicLong last = new AtomicLong();

  /**
   * A source of ids.
   *
   * @param random thread-safe
   */
  public UuidV7Generator(InstantSource clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  /** A new id, in lower case. */
  public String next() {
    long begin = clock.millis() << COUNT_BITS | random.nextInt(FIRST_COUNTS);
    // A count that overflows borrows from the next millisecond.
    long mark = last.updateAndGet(before -> Math.max(before + 1, begin));
    long high = (mark & ~COUNT) << (Long.SIZE - 48 - COUNT_BITS) | VERSION | (mark & COUNT);
    return new UUID(high, VARIANT | (random.nextLong() & CHANCE)).toString();
  }

  /** When an id was made; empty for one of another kind. */
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
