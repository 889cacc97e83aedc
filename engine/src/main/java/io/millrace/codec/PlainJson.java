package io.millrace.codec;

import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the JSON of the engine's own documents, without a library. A JSON value is a
 * {@code Map} with its members in their order, a {@code List}, a {@code String}, a {@code Boolean},
 * null, or a number: an {@code Integer}, {@code Long} or {@code BigInteger} if it has neither
 * fraction nor exponent, otherwise a {@code BigDecimal} with all its digits.
 *
 * <p>Values of users go through the engine's {@link Codec} instead.
 */
public final class PlainJson {

  private PlainJson() {}

  /** Returns the value of a text within {@link JsonLimits#DEFAULT}. */
  public static @Nullable Object parse(String json) {
    return parse(json, JsonLimits.DEFAULT);
  }

  /**
   * Returns the value of a text. Maps and lists may be changed. If an object has a name twice, the
   * last value counts.
   *
   * @throws CodecException if the text is not JSON, is over a limit, or holds half of a surrogate
   *     pair; the message has the position
   */
  public static @Nullable Object parse(String json, JsonLimits limits) {
    return new PlainJsonReader(json, limits).document();
  }

  /** Returns the text of a value within {@link JsonLimits#DEFAULT}. */
  public static String write(@Nullable Object value) {
    return write(value, JsonLimits.DEFAULT);
  }

  /**
   * Returns the text of a value, without white space. Members are in the order of their map.
   *
   * @throws CodecException if the value is not a JSON value, is over a limit, or holds half of a
   *     surrogate pair
   */
  public static String write(@Nullable Object value, JsonLimits limits) {
    String json = new PlainJsonWriter(limits).value(value).toString();
    return value == null ? json : limits.checked(value, json);
  }

  /** Returns a text in quotes. */
  public static String quote(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2);
    quote(text, out);
    return out.toString();
  }

  /** Appends a text in quotes. Only the characters that JSON does not allow are escaped. */
  public static void quote(String text, StringBuilder out) {
    PlainJsonWriter.quote(text, out);
  }
}
