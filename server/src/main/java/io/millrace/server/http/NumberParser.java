package io.millrace.server.http;

/** A parser of whole numbers from clients. */
final class NumberParser {

  private NumberParser() {}

  static long parse(String field, String text, long min, long max) {
    boolean digits = !text.isEmpty() && text.length() <= 20;
    for (int i = 0; digits && i < text.length(); i++) {
      char c = text.charAt(i);
      digits = (c >= '0' && c <= '9') || (i == 0 && c == '-' && text.length() > 1);
    }
    if (!digits) {
      throw ProblemException.invalid(
          field, "is no whole number; expected " + range(min, max) + ".");
    }
    try {
      return within(field, Long.parseLong(text), min, max);
    } catch (NumberFormatException e) {
      throw ProblemException.invalid(field, "is too large; expected " + range(min, max) + ".");
    }
  }

  static long within(String field, long value, long min, long max) {
    if (value < min || value > max) {
      throw ProblemException.invalid(field, "is " + value + "; expected " + range(min, max) + ".");
    }
    return value;
  }

  private static String range(long min, long max) {
    return max == Long.MAX_VALUE ? min + " or more" : min + " to " + max;
  }
}
