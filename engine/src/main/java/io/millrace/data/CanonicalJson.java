package io.millrace.data;

import io.millrace.codec.PlainJson;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A writer of JSON in the canonical form of RFC 8785: members sorted, no white space, numbers as
 * JavaScript writes them. A number that a double cannot hold exactly is written in full instead,
 * since two different long numbers must not become the same.
 */
final class CanonicalJson {

  private static final int MAX_DIGITS = 21;

  private CanonicalJson() {}

  static String write(@Nullable Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(@Nullable Object value, StringBuilder out) {
    switch (value) {
      case Map<?, ?> members -> writeObject(members, out);
      case List<?> elements -> {
        char separator = '[';
        for (Object element : elements) {
          out.append(separator);
          write(element, out);
          separator = ',';
        }
        out.append(elements.isEmpty() ? "[]" : "]");
      }
      case String text -> PlainJson.quote(text, out);
      case Long number -> out.append(number(BigDecimal.valueOf(number)));
      case BigInteger number -> out.append(number(new BigDecimal(number)));
      case BigDecimal number -> out.append(number(number));
      case null, default -> out.append(value); // an int, true, false or null
    }
  }

  private static void writeObject(Map<?, ?> members, StringBuilder out) {
    char separator = '{';
    for (Map.Entry<?, ?> member : new TreeMap<>(members).entrySet()) {
      out.append(separator);
      PlainJson.quote(String.valueOf(member.getKey()), out);
      out.append(':');
      write(member.getValue(), out);
      separator = ',';
    }
    out.append(members.isEmpty() ? "{}" : "}");
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
