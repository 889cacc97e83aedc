package io.millrace.examples.report.page;

/** Text for HTML that is also well-formed XML. */
final class Html {

  private Html() {}

  /** Text as content or attribute value; drops what XML cannot hold. */
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
   * Control characters, halves of surrogate pairs and marks that turn the direction of text are
   * not.
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
