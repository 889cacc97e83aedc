package io.millrace.examples.report.page;

/** Escapes text for HTML that is also well-formed XML. */
final class Html {

  private Html() {}

  /**
   * Escapes text for content or an attribute value, and drops characters that XML cannot contain.
   */
  static String escape(String text) {
    StringBuilder safe = new StringBuilder(text.length() + 16);
    text.codePoints().filter(Html::isAllowed).forEach(point -> append(safe, point));
    return safe.toString();
  }

  private static void append(StringBuilder safe, int point) {
    switch (point) {
      case '&' -> safe.append("&amp;");
      case '<' -> safe.append("&lt;");
      case '>' -> safe.append("&gt;");
      case '"' -> safe.append("&quot;");
      case '\'' -> safe.append("&#39;");
      default -> safe.appendCodePoint(point);
    }
  }

  /**
   * True if a character is allowed. Control characters, halves of surrogate pairs and marks that
   * change the text direction are not.
   */
  private static boolean isAllowed(int point) {
    int type = Character.getType(point);
    return switch (type) {
      case Character.CONTROL, Character.SURROGATE, Character.UNASSIGNED -> false;
      default -> !isDirectionMark(point);
    };
  }

  private static boolean isDirectionMark(int point) {
    return (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
  }
}
