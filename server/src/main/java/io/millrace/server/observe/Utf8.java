package io.millrace.server.observe;

/** The sizes of texts in UTF-8, computed without encoding them. */
final class Utf8 {

  private Utf8() {}

  static int length(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      bytes += length(text.codePointAt(i));
    }
    return bytes;
  }

  /**
   * Returns at most {@code limit} bytes of {@code text}, ending with {@code mark} if the text is
   * cut.
   */
  static String cut(String text, int limit, String mark) {
    if (text.length() <= limit / 3) {
      return text;
    }
    int room = limit - length(mark);
    int bytes = 0;
    int end = 0;
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      bytes += length(text.codePointAt(i));
      if (bytes > limit) {
        return text.substring(0, end) + mark;
      }
      if (bytes <= room) {
        end = i + Character.charCount(text.codePointAt(i));
      }
    }
    return text;
  }

  private static int length(int codePoint) {
    if (codePoint < 0x80) {
      return 1;
    }
    return codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
}
