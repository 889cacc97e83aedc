package io.millrace.redis.wire;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writer of one value in the format of {@code JSON.stringify}. */
final class JsWriter {

  private static final String HEX = "0123456789abcdef";

  /** Number of digits of the largest array index in JavaScript, 4294967294. */
  private static final int INDEX_DIGITS = 10;

  private static final long LAST_INDEX = 4_294_967_294L;

  private final StringBuilder out;
  private final JsonMapper mapper;
  private @Nullable String tooLong;

  JsWriter(StringBuilder out, JsonMapper mapper) {
    this.out = out;
    this.mapper = mapper;
  }

  /** Returns a number of which JavaScript would not keep all digits; null if there was none. */
  @Nullable String tooLong() {
    return tooLong;
  }

  /** Writes a value. The most frequent types are written without building a tree. */
  void value(@Nullable Object value) {
    switch (value) {
      case null -> out.append("null");
      case String text -> string(text);
      case Boolean truth -> out.append(truth);
      case Integer number -> out.append(number.intValue());
      case Double number -> number(number);
      case Long number -> {
        out.append(number.longValue());
        tooLong = JsNumber.isTooLong(number) ? number.toString() : null;
      }
      default -> node(mapper.valueToTree(value));
    }
  }

  private void node(JsonNode node) {
    switch (node.getNodeType()) {
      case STRING -> string(node.stringValue());
      case NUMBER -> number(node);
      case BOOLEAN -> out.append(node.booleanValue());
      case ARRAY -> array(node);
      case OBJECT -> object(node);
      case NULL, MISSING -> out.append("null");
      // Jackson keeps some values unchanged, such as bytes and raw texts; it can write and read
      // them itself.
      default -> node(mapper.readTree(mapper.writeValueAsString(node)));
    }
  }

  private void number(double number) {
    out.append(Double.isFinite(number) ? JsNumber.of(number) : "null");
  }

  private void number(JsonNode node) {
    switch (node.numberType()) {
      case FLOAT, DOUBLE -> {
        boolean finite = Double.isFinite(node.doubleValue());
        out.append(finite ? JsNumber.of(node) : "null");
      }
      default -> {
        String text = JsNumber.of(node);
        out.append(text);
        if (tooLong == null && JsNumber.isTooLong(node)) {
          tooLong = text;
        }
      }
    }
  }

  private void array(JsonNode array) {
    out.append('[');
    boolean first = true;
    for (JsonNode element : array) {
      if (!first) {
        out.append(',');
      }
      first = false;
      node(element);
    }
    out.append(']');
  }

  private void object(JsonNode object) {
    out.append('{');
    boolean first = true;
    for (Map.Entry<String, JsonNode> property : ordered(object)) {
      if (!first) {
        out.append(',');
      }
      first = false;
      string(property.getKey());
      out.append(':');
      node(property.getValue());
    }
    out.append('}');
  }

  /**
   * Returns the properties in JavaScript's order, which puts array indexes first, in ascending
   * order.
   */
  private static Iterable<Map.Entry<String, JsonNode>> ordered(JsonNode object) {
    if (object.propertyNames().stream().noneMatch(JsWriter::isIndex)) {
      return object.properties();
    }
    List<Map.Entry<String, JsonNode>> sorted = new ArrayList<>(object.properties());
    sorted.sort(
        Comparator.comparingLong(
            e -> isIndex(e.getKey()) ? Long.parseLong(e.getKey()) : Long.MAX_VALUE));
    return sorted;
  }

  private static boolean isIndex(String key) {
    if (key.isEmpty() || key.length() > INDEX_DIGITS) {
      return false;
    }
    for (int i = 0; i < key.length(); i++) {
      if (key.charAt(i) < '0' || key.charAt(i) > '9') {
        return false;
      }
    }
    return (key.length() == 1 || key.charAt(0) != '0') && Long.parseLong(key) <= LAST_INDEX;
  }

  private void string(String text) {
    out.append('"');
    int copied = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c != '"' && c != '\\' && !Character.isSurrogate(c)) {
        continue;
      }
      if (isPair(text, i)) {
        i++;
        continue;
      }
      out.append(text, copied, i);
      escape(c);
      copied = i + 1;
    }
    out.append(text, copied, text.length()).append('"');
  }

  static boolean isPair(String text, int at) {
    return at + 1 < text.length()
        && Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1));
  }

  private void escape(char c) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\b' -> out.append("\\b");
      case '\f' -> out.append("\\f");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
          out.append(HEX.charAt(c >> shift & 0xF));
        }
      }
    }
  }
}
