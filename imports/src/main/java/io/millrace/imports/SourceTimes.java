package io.millrace.imports;

import io.millrace.instance.InvalidRequestException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Conversion of times of the source: seconds since 1970 in UTC, 0 for none. */
final class SourceTimes {

  private static final long LATEST = Instant.parse("9999-12-31T00:00:00Z").getEpochSecond();

  private SourceTimes() {}

  /**
   * Returns the time in a column; null for none. A value beyond the year 9999 is in milliseconds,
   * as other columns of the source are.
   *
   * @param notes receives a note when the value is in milliseconds
   */
  static @Nullable Instant instant(@Nullable Long value, String column, List<String> notes) {
    if (value == null || value == 0) {
      return null;
    }
    if (value > 0 && value <= LATEST) {
      return Instant.ofEpochSecond(value);
    }
    if (value > 0 && value / 1000 <= LATEST) {
      Instant at = Instant.ofEpochMilli(value);
      notes.add("Column " + column + " is " + value + ", taken for milliseconds: " + at + ".");
      return at;
    }
    throw new InvalidRequestException(
        "Column "
            + column
            + " is "
            + value
            + ", expected seconds since 1970 in UTC, or 0 for none.");
  }

  static @Nullable LocalDate day(@Nullable Long value, String column, List<String> notes) {
    Instant at = instant(value, column, notes);
    return at == null ? null : dayOf(at);
  }

  static LocalDate dayOf(Instant at) {
    return LocalDate.ofInstant(at, ZoneOffset.UTC);
  }
}
