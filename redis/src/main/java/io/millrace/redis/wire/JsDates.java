package io.millrace.redis.wire;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Date;
import java.util.Locale;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Writes points in time as JavaScript's {@code Date.toJSON} does: in UTC, always with milliseconds.
 */
final class JsDates {

  private static final DateTimeFormatter REST =
      DateTimeFormatter.ofPattern("-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT);

  /** Largest distance from 1970 that JavaScript's Date supports, in milliseconds. */
  private static final long FARTHEST_MILLIS = 8_640_000_000_000_000L;

  private static final int LAST_SHORT_YEAR = 9999;

  private JsDates() {}

  @SuppressWarnings("JavaUtilDate") // toInstant() of a java.sql.Date only throws
  static JacksonModule module() {
    SimpleModule module = new SimpleModule("javascript-dates");
    add(module, Instant.class, time -> time);
    add(module, OffsetDateTime.class, OffsetDateTime::toInstant);
    add(module, ZonedDateTime.class, ZonedDateTime::toInstant);
    add(module, Date.class, time -> Instant.ofEpochMilli(time.getTime()));
    return module;
  }

  private static <T> void add(SimpleModule module, Class<T> type, Function<T, Instant> instant) {
    module.addSerializer(new TimeSerializer<>(type, instant));
  }

  private static final class TimeSerializer<T> extends StdSerializer<T> {
    private final Function<T, Instant> instant;

    TimeSerializer(Class<T> type, Function<T, Instant> instant) {
      super(type);
      this.instant = instant;
    }

    @Override
    public void serialize(T value, JsonGenerator out, SerializationContext context) {
      Instant time = instant.apply(value);
      if (isOutOfRange(time)) {
        out.writeNull(); // an invalid Date there
      } else {
        out.writeString(text(time));
      }
    }
  }

  private static boolean isOutOfRange(Instant time) {
    Instant last = Instant.ofEpochMilli(FARTHEST_MILLIS);
    return time.isAfter(last) || time.isBefore(Instant.ofEpochMilli(-FARTHEST_MILLIS));
  }

  private static String text(Instant time) {
    OffsetDateTime utc = time.atOffset(ZoneOffset.UTC);
    int year = utc.getYear();
    String shown =
        year >= 0 && year <= LAST_SHORT_YEAR
            ? String.format(Locale.ROOT, "%04d", year)
            : String.format(Locale.ROOT, "%s%06d", year < 0 ? "-" : "+", Math.abs(year));
    return shown + REST.format(utc);
  }
}
