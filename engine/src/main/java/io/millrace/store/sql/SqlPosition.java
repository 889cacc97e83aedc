package io.millrace.store.sql;

import io.millrace.instance.InvalidRequestException;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The position of a row in an order, as parameters of a statement and as text. */
record SqlPosition(Object watermark, Object key) {

  private static final String KIND = "rows:";

  /**
   * Returns the position as text. Each value is preceded by a letter for its type and its length,
   * so that a value may contain any character.
   */
  String text() {
    return KIND + text(watermark) + text(key);
  }

  private static String text(Object value) {
    String text = value.toString();
    return letter(value) + text.length() + ":" + text;
  }

  private static String letter(Object value) {
    return switch (value) {
      case Long number -> "L";
      case BigDecimal number -> "N";
      case UUID uuid -> "U";
      case OffsetDateTime time -> "O";
      case LocalDateTime time -> "T";
      case LocalDate date -> "D";
      default -> "S";
    };
  }

  /**
   * Reads the text of {@link #text}.
   *
   * @throws InvalidRequestException if it is another text
   */
  static SqlPosition of(String text) {
    try {
      if (text.startsWith(KIND)) {
        int second = end(text, KIND.length());
        return new SqlPosition(value(text, KIND.length()), value(text, second));
      }
    } catch (RuntimeException e) {
      throw wrong(text);
    }
    throw wrong(text);
  }

  private static InvalidRequestException wrong(String text) {
    String shown = text.length() <= 60 ? text : text.substring(0, 60) + "...";
    return new InvalidRequestException(
        "The position '"
            + shown
            + "' is not that of rows. Remove the workflow and add it again, or give it another name, if its trigger was changed.");
  }

  private static int colon(String text, int begin) {
    return text.indexOf(':', begin);
  }

  private static int end(String text, int begin) {
    int colon = colon(text, begin);
    return colon + 1 + Integer.parseInt(text, begin + 1, colon, 10);
  }

  private static Object value(String text, int begin) {
    String value = text.substring(colon(text, begin) + 1, end(text, begin));
    return switch (text.charAt(begin)) {
      case 'L' -> Long.valueOf(value);
      case 'N' -> new BigDecimal(value);
      case 'U' -> UUID.fromString(value);
      case 'O' -> OffsetDateTime.parse(value);
      case 'T' -> LocalDateTime.parse(value);
      case 'D' -> LocalDate.parse(value);
      default -> value;
    };
  }

  /** Returns the value of a key column. */
  static Object value(ResultSet result, int column, String name) throws SQLException {
    Object value = plain(result, column);
    return switch (value) {
      case Long number -> number;
      case Integer number -> number.longValue();
      case Short number -> number.longValue();
      case BigDecimal number -> number;
      case UUID uuid -> uuid;
      case OffsetDateTime time -> time;
      case LocalDateTime time -> time;
      case LocalDate date -> date;
      case String text -> text;
      case null, default ->
          throw new InvalidRequestException(
              "The column '"
                  + name
                  + "' tells no order of rows; expected numbers, texts, UUIDs, dates or times.");
    };
  }

  /** Returns the value of a column as a type of Java and JSON. */
  static @Nullable Object plain(ResultSet result, int column) throws SQLException {
    Object value = result.getObject(column);
    String type = result.getMetaData().getColumnTypeName(column).toLowerCase(Locale.ROOT);
    return switch (value) {
      case null -> null;
      case java.sql.Timestamp time when type.contains("tz") || type.contains("with time zone") ->
          result.getObject(column, OffsetDateTime.class).withOffsetSameInstant(ZoneOffset.UTC);
      case java.sql.Timestamp time -> result.getObject(column, LocalDateTime.class);
      case OffsetDateTime time -> time.withOffsetSameInstant(ZoneOffset.UTC);
      case java.sql.Date date -> result.getObject(column, LocalDate.class);
      case java.sql.Clob text -> text.getSubString(1, (int) Math.min(text.length(), 1_000_000));
      case Number number -> number;
      case Boolean truth -> truth;
      case UUID uuid -> uuid;
      case byte[] bytes -> bytes;
      default -> value.toString();
    };
  }
}
