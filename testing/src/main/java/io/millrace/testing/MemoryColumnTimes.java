package io.millrace.testing;

import io.millrace.instance.Due;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Times as databases store them: in microseconds, up to the year 9999. */
final class MemoryColumnTimes {

  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private MemoryColumnTimes() {}

  /** Returns the time of {@code due}, for a write at {@code now}; null for never. */
  static @Nullable Instant of(Due due, Instant now) {
    return switch (due) {
      case Due.Now d -> now;
      case Due.At at -> roundedUp(within(at.instant()));
      case Due.After after -> roundedUp(plus(now, after.delay()));
      case Due.Never d -> null;
    };
  }

  /** Returns the time after {@code delay} from now. */
  static Instant after(Duration delay, Instant now) {
    return roundedUp(plus(now, delay));
  }

  static Instant truncated(Instant time) {
    return time.truncatedTo(ChronoUnit.MICROS);
  }

  /** Returns a time as it is stored. */
  static @Nullable Instant kept(@Nullable Instant time) {
    return time == null ? null : within(truncated(time));
  }

  private static Instant within(Instant time) {
    if (time.isBefore(FIRST)) {
      return FIRST;
    }
    return time.isAfter(LAST) ? LAST : time;
  }

  private static Instant plus(Instant now, Duration delay) {
    return delay.compareTo(Duration.between(now, LAST)) > 0 ? LAST : now.plus(delay);
  }

  /** Returns a rounded-up time, so that nothing becomes due before its time. */
  private static Instant roundedUp(Instant time) {
    Instant truncated = truncated(time);
    return truncated.equals(time) ? time : truncated.plus(1, ChronoUnit.MICROS);
  }
}
