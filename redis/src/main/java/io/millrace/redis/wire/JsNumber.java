package io.millrace.redis.wire;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import tools.jackson.databind.JsonNode;

/** Writes numbers as JavaScript does: the shortest digits, with an exponent only far from 1. */
final class JsNumber {

  /**
   * Largest position of the decimal point, counted from the first digit, in numbers without
   * exponent.
   */
  private static final int MAX_BEFORE_POINT = 21;

  private static final int MAX_ZEROS = -6;
  private static final long MAX = 1L << 53;

  private JsNumber() {}

  /** Returns the text of a finite number. */
  static String of(JsonNode number) {
    return switch (number.numberType()) {
      case INT, LONG -> Long.toString(number.longValue());
      case DOUBLE -> of(number.doubleValue());
      case FLOAT -> of(new BigDecimal(Float.toString(number.floatValue())));
      default -> of(number.decimalValue());
    };
  }

  static String of(double number) {
    if (number == Math.rint(number) && Math.abs(number) <= MAX) {
      return Long.toString((long) number); // of minus zero, too
    }
    return of(shortest(number));
  }

  /**
   * Returns the shortest decimal number. Java writes two digits where one is enough, as in
   * 4.9E-324.
   */
  private static BigDecimal shortest(double number) {
    BigDecimal digits = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    if (digits.precision() == 2) {
      BigDecimal one = digits.round(new MathContext(1, RoundingMode.HALF_EVEN));
      if (one.doubleValue() == number) {
        return one;
      }
    }
    return digits;
  }

  static String of(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    if (stripped.signum() == 0) {
      return "0";
    }
    String digits = stripped.unscaledValue().abs().toString();
    StringBuilder out = new StringBuilder(digits.length() + 8);
    if (stripped.signum() < 0) {
      out.append('-');
    }
    int point = digits.length() - stripped.scale();
    if (point > MAX_BEFORE_POINT || point <= MAX_ZEROS) {
      out.append(digits.charAt(0));
      if (digits.length() > 1) {
        out.append('.').append(digits, 1, digits.length());
      }
      out.append('e').append(point > 0 ? "+" : "-").append(Math.abs(point - 1));
    } else if (point <= 0) {
      out.append("0.").repeat('0', -point).append(digits);
    } else if (digits.length() <= point) {
      out.append(digits).repeat('0', point - digits.length());
    } else {
      out.append(digits, 0, point).append('.').append(digits, point, digits.length());
    }
    return out.toString();
  }

  /** True if JavaScript reads a different number. */
  static boolean isTooLong(JsonNode number) {
    return switch (number.numberType()) {
      case INT, FLOAT, DOUBLE -> false;
      case LONG -> isTooLong(number.longValue());
      default -> number.decimalValue().compareTo(readAgain(number.decimalValue())) != 0;
    };
  }

  static boolean isTooLong(long number) {
    return (number > MAX || number < -MAX)
        && BigDecimal.valueOf(number).compareTo(new BigDecimal((double) number)) != 0;
  }

  private static BigDecimal readAgain(BigDecimal number) {
    double read = number.doubleValue();
    return Double.isInfinite(read) ? BigDecimal.ZERO : shortest(read);
  }
}
