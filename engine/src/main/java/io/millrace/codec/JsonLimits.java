package io.millrace.codec;

import io.millrace.instance.StorableText;
import java.nio.charset.StandardCharsets;

/**
 * Limits of the size of a single value.
 *
 * @param maxBytes length of its JSON text in UTF-8
 * @param maxDepth nesting of arrays and objects
 */
public record JsonLimits(int maxBytes, int maxDepth) {
  /** Limits of 1 MiB and 64 levels. */
  public static final JsonLimits DEFAULT = new JsonLimits(1 << 20, 64);

  /**
   * Returns the JSON text of a value if it can be stored. For implementations of {@link Codec}.
   *
   * @throws CodecException if it is too long or holds half of a surrogate pair
   */
  public String checked(Object value, String json) {
    int bytes = bytes(json, maxBytes);
    if (bytes > maxBytes) {
      throw CodecException.tooLarge(
          "A value of "
              + value.getClass().getName()
              + " has "
              + bytes
              + " bytes as JSON, expected at most "
              + maxBytes
              + ". Keep large data elsewhere and store a reference to it.");
    }
    int half = StorableText.indexOfHalf(json);
    if (half >= 0) {
      throw new CodecException(
          "A value of "
              + value.getClass().getName()
              + " has half of a surrogate pair at character "
              + half
              + " of its JSON, which no database keeps. Cut texts between whole characters, as"
              + " codePoints() tells them.",
          null);
    }
    return json;
  }

  /**
   * Returns the size in UTF-8. Every char is at most three bytes, so short texts need no counting.
   */
  static int bytes(String json, int maxBytes) {
    return json.length() <= maxBytes / 3
        ? json.length()
        : json.getBytes(StandardCharsets.UTF_8).length;
  }
}
