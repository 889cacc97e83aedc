package io.millrace.instance;

/**
 * Rules for texts that are stored unchanged. Not every database can store NUL, and half of a
 * surrogate pair has no bytes in any encoding: it would be read back as another text.
 */
public final class StorableText {

  /** End of the messages about names that are refused. */
  public static final String EXPECTED = "without NUL or half of a surrogate pair";

  private static final char REPLACEMENT = '\uFFFD';

  private StorableText() {}

  /** Returns true if the text has neither NUL nor half of a surrogate pair. */
  public static boolean isStorable(String text) {
    return text.indexOf('\0') < 0 && indexOfHalf(text) < 0;
  }

  /**
   * Returns the index of the first half of a surrogate pair without its counterpart; -1 if there is
   * none.
   */
  public static int indexOfHalf(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (i + 1 == text.length()
            || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }

  /**
   * Returns the text with a replacement for each NUL and half of a surrogate pair, for texts from
   * outside and for messages.
   */
  public static String repaired(String text) {
    if (isStorable(text)) {
      return text;
    }
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .map(c ->
            c == 0 || (c <= Character.MAX_VALUE && Character.isSurrogate((char) c))
                ? REPLACEMENT
                : c)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }
}
