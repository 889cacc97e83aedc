package io.millrace.data;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * A writer of JSON in the canonical form of RFC 8785: members sorted, no white space, numbers as
 * JavaScript writes them. A number that a double cannot hold exactly is written in full instead,
 * since two different long numbers must not become the same.
 */
final class CanonicalJson {

  private static final int MAX_DIGITS = 21;

  private CanonicalJson() {}

  static String write(JsonNode node) {
    StringBuilder out = new StringBuilder();
    write(node, out);
    return out.toString();
  }

  private static void write(JsonNode node, StringBuilder out) {
    switch (node.getNodeType()) {
      case OBJECT -> writeObject(node, out);
      case ARRAY -> {
        char separator = '[';
        for (JsonNode element : node) {
          out.append(separator);
          write(element, out);
          separator = ',';
        }
        out.append(node.isEmpty() ? "[]" : "]");
      }
      case STRING -> quote(node.stringValue(), out);
      case NUMBER -> out.append(node.isInt() ? node.asString() : number(node.decimalValue()));
      default -> out.append(node);
    }
  }

  private static void writeObject(JsonNode node, StringBuilder out) {
    Map<String, JsonNode> sorted = new TreeMap<>();
    node.properties().forEach(member -> sorted.put(member.getKey(), member.getValue()));
    char separator = '{';
    for (Map.Entry<String, JsonNode> member : sorted.entrySet()) {
      out.append(separator);
      quote(member.getKey(), out);
      out.append(':');
      write(member.getValue(), out);
      separator = ',';
    }
    out.append(sorted.isEmpty() ? "{}" : "}");
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < 0x20) {
            out.append("\\u00").append(Character.forDigit(c >> 4, 16));
            out.append(Character.forDigit(c & 15, 16));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  static String number(BigDecimal given) {
    if (given.signum() == 0) {
      return "0";
    }
    BigDecimal exact = given.stripTrailingZeros();
    double nearest = exact.doubleValue();
    if (Double.isInfinite(nearest)) {
      return exact.toString();
    }
    BigDecimal shortest = new BigDecimal(Double.toString(nearest)).stripTrailingZeros();
    if (shortest.compareTo(exact) != 0) {
      return exact.toString();
    }
    BigInteger unscaled = shortest.unscaledValue();
    String digits = unscaled.abs().toString();
    return (unscaled.signum() < 0 ? "-" : "") + placed(digits, digits.length() - shortest.scale());
  }

  /** Formats digits as JavaScript does; {@code point} digits precede the decimal point. */
  private static String placed(String digits, int point) {
    int count = digits.length();
    if (count <= point && point <= MAX_DIGITS) {
      return digits + "0".repeat(point - count);
    }
    if (0 < point && point <= MAX_DIGITS) {
      return digits.substring(0, point) + "." + digits.substring(point);
    }
    if (-6 < point && point <= 0) {
      return "0." + "0".repeat(-point) + digits;
    }
    int exponent = point - 1;
    String first = count == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
    return first + "e" + (exponent < 0 ? "-" : "+") + Math.abs(exponent);
  }
}
