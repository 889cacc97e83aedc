package io.millrace.redis.wire;

import java.util.StringJoiner;
import tools.jackson.databind.JsonNode;

/** Writes values as JavaScript's {@code String(value)} does. */
final class JsString {

  private static final char UNKNOWN = '\uFFFD';

  private JsString() {}

  static String of(JsonNode value) {
    return switch (value.getNodeType()) {
      case STRING -> wellFormed(value.stringValue());
      case NUMBER -> number(value);
      case ARRAY -> {
        StringJoiner joined = new StringJoiner(",");
        value.forEach(element -> joined.add(element.isNull() ? "" : of(element)));
        yield joined.toString();
      }
      case OBJECT -> "[object Object]";
      case NULL, MISSING -> "null";
      default -> value.asString();
    };
  }

  private static String number(JsonNode value) {
    Double number = value.isFloatingPointNumber() && !value.isBigDecimal() ? value.asDouble() : 0d;
    return number.isNaN() || number.isInfinite() ? number.toString() : JsNumber.of(value);
  }

  /**
   * Replaces unpaired surrogates, which have no bytes of their own, by the character that Node.js
   * writes.
   */
  private static String wellFormed(String text) {
    StringBuilder mended = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isSurrogate(c)) {
        continue;
      }
      if (JsWriter.isPair(text, i)) {
        i++;
      } else {
        mended = mended == null ? new StringBuilder(text) : mended;
        mended.setCharAt(i, UNKNOWN);
      }
    }
    return mended == null ? text : mended.toString();
  }
}
