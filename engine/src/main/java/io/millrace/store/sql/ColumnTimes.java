package io.millrace.store.sql;

import io.millrace.instance.Due;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Times as the databases store them: microseconds, within the years 1 to 9999. */
final class ColumnTimes {

  static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");
  private static final Duration MAX_STORED_DURATION = Duration.ofDays(365_000);

  private ColumnTimes() {}

  static Instant truncate(Instant time) {
    return time.truncatedTo(ChronoUnit.MICROS);
  }

  /** Returns the fixed time of {@code due} as text; null if it is relative or never. */
  static @Nullable String at(Due due) {
    return due instanceof Due.At at ? within(at.instant()).toString() : null;
  }

  /** Returns a time as text, within the range of the databases. */
  static String text(Instant time) {
    return within(truncate(time)).toString();
  }

  /** Returns the microseconds from now until {@code due}; null if it is fixed or never. */
  static @Nullable Long after(Due due) {
    return switch (due) {
      case Due.Now now -> 0L;
      case Due.After after -> micros(after.delay());
      case Due.At at -> null;
      case Due.Never never -> null;
    };
  }

  /** Returns microseconds, rounded up, so that nothing becomes due before its time. */
  static long micros(Duration duration) {
    Duration limited = duration.compareTo(MAX_STORED_DURATION) > 0 ? MAX_STORED_DURATION : duration;
    return limited.getSeconds() * 1_000_000L + Math.ceilDiv(limited.getNano(), 1_000);
  }

  static Instant read(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  static @Nullable Instant readOrNull(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  /** Returns the nearest time that the databases can store. */
  static Instant limited(Instant time) {
    return time.isBefore(FIRST) ? FIRST : time.isAfter(LAST) ? LAST : time;
  }

  static long toMicros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  static Instant ofMicros(long micros) {
    return limited(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
  }

  private static Instant within(Instant time) {
    if (time.isBefore(FIRST)) {
      return FIRST;
    }
    if (time.isAfter(LAST)) {
      return LAST;
    }
    Instant truncated = truncate(time);
    return truncated.equals(time) ? time : truncated.plus(1, ChronoUnit.MICROS);
  }
}
