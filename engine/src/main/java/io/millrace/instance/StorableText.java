package io.millrace.instance;

/**
 * Rules for texts that are stored as they are. No database keeps NUL everywhere, and half of a
 * surrogate pair has no bytes in any encoding: it would come back as another text.
 */
public final class StorableText {

  /** Ends the messages about names that are refused. */
  public static final String EXPECTED = "without NUL or half of a surrogate pair";

  private static final char REPLACEMENT = '\uFFFD';

  private StorableText() {}

  /** True for a text that has neither NUL nor half of a surrogate pair. */
  public static boolean isStorable(String text) {
    return text.indexOf('\0') < 0 && indexOfHalf(text) < 0;
  }

  /** The place of the first half of a surrogate pair; -1 if there is none. */
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

  /** The text with a replacement for each NUL and half: for what nobody controls, and messages. */
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
