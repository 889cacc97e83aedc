package io.millrace.instance;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Bounds for times and durations. An application may pass {@code
 * Duration.ofSeconds(Long.MAX_VALUE)} for "no limit"; sums and conversions of such values overflow
 * unless they are bounded first.
 */
public final class TimeLimits {

  /**
   * The longest wait, 100 years. A sum of it and a monotonic time in nanoseconds can still be
   * compared with another monotonic time.
   */
  public static final Duration MAX_WAIT = Duration.ofDays(36_500);

  private static final Duration MAX_WAIT_BACK = MAX_WAIT.negated();

  /** The longest delay that is stored. */
  public static final Duration MAX_DELAY = Duration.ofDays(365_000);

  /** The earliest time that databases keep. */
  public static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

  /** The latest time that databases keep. */
  public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private TimeLimits() {}

  /** Returns the duration, at most {@link #MAX_WAIT} in either direction. */
  public static Duration clamp(Duration time) {
    if (time.compareTo(MAX_WAIT) > 0) {
      return MAX_WAIT;
    }
    return time.compareTo(MAX_WAIT_BACK) < 0 ? MAX_WAIT_BACK : time;
  }

  /** Returns the duration, at most {@link #MAX_WAIT} in either direction; null for null. */
  public static @Nullable Duration limitedOrNull(@Nullable Duration time) {
    return time == null ? null : clamp(time);
  }

  /** Returns the time, from {@link #EARLIEST} to {@link #LATEST}. */
  public static Instant clamp(Instant time) {
    return time.isBefore(EARLIEST) ? EARLIEST : time.isAfter(LATEST) ? LATEST : time;
  }

  /** Returns the nanoseconds of a wait, at most those of {@link #MAX_WAIT}. */
  public static long nanos(Duration wait) {
    return clamp(wait).toNanos();
  }

  /** Returns the time after {@code wait}, at most {@link #LATEST}. */
  public static Instant after(Instant time, Duration wait) {
    return clamp(clamp(time).plus(clamp(wait)));
  }

  /** Returns the time that was {@code age} ago, at least {@link #EARLIEST}. */
  public static Instant before(Instant time, Duration age) {
    return clamp(clamp(time).minus(clamp(age)));
  }
}
