package io.millrace.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writer of one JSON value. */
final class PlainJsonWriter {

  private static final String HEX = "0123456789abcdef";

  private final StringBuilder out = new StringBuilder();
  private final JsonLimits limits;
  private int depth;

  PlainJsonWriter(JsonLimits limits) {
    this.limits = limits;
  }

  StringBuilder value(@Nullable Object value) {
    switch (value) {
      case null -> out.append("null");
      case String text -> quote(text, out);
      case Boolean truth -> out.append(truth.booleanValue());
      case Integer number -> out.append(number.intValue());
      case Long number -> out.append(number.longValue());
      case BigInteger number -> out.append(number);
      case BigDecimal number -> out.append(number);
      case Double number when Double.isFinite(number) -> out.append(number.doubleValue());
      case Map<?, ?> map -> object(map);
      case Collection<?> list -> array(list);
      default ->
          throw new CodecException(
              "A value of "
                  + value.getClass().getName()
                  + " is no plain JSON value; expected a Map, a Collection, a String, a finite"
                  + " number, a Boolean or null.",
              null);
    }
    return out;
  }

  private void object(Map<?, ?> map) {
    enter(map);
    char separator = '{';
    for (Map.Entry<?, ?> member : map.entrySet()) {
      out.append(separator);
      quote(String.valueOf(member.getKey()), out);
      out.append(':');
      value(member.getValue());
      separator = ',';
    }
    out.append(map.isEmpty() ? "{}" : "}");
    depth--;
  }

  private void array(Collection<?> list) {
    enter(list);
    char separator = '[';
    for (Object element : list) {
      out.append(separator);
      value(element);
      separator = ',';
    }
    out.append(list.isEmpty() ? "[]" : "]");
    depth--;
  }

  private void enter(Object value) {
    if (++depth > limits.maxDepth()) {
      throw new CodecException(
          "A value of "
              + value.getClass().getName()
              + " cannot be written as JSON of at most "
              + limits.maxDepth()
              + " levels.",
          null);
    }
  }

  static void quote(String text, StringBuilder out) {
    out.append('"');
    int copied = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c != '"' && c != '\\') {
        continue;
      }
      out.append(text, copied, i);
      escape(c, out);
      copied = i + 1;
    }
    out.append(text, copied, text.length()).append('"');
  }

  private static void escape(char c, StringBuilder out) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\b' -> out.append("\\b");
      case '\f' -> out.append("\\f");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> out.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
    }
  }
}
