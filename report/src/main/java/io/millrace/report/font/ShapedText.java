package io.millrace.report.font;

import java.util.Set;

/** Prepares text for a renderer that has no rules for scripts. */
public final class ShapedText {

  /** A left-to-right character without a glyph. */
  private static final char LEFT_TO_RIGHT = '\u200E';

  private static final char RIGHT_TO_LEFT = '\u200F';

  private ShapedText() {}

  private static boolean isMark(int c) {
    return c == LEFT_TO_RIGHT || c == RIGHT_TO_LEFT;
  }

  /**
   * Returns the text with the shapes of Arabic letters, and without invisible characters: variation
   * selectors and joiners.
   */
  public static String of(String text) {
    if (text.chars().allMatch(c -> c < 0x300)) {
      return text;
    }
    String shaped = ArabicForms.shape(text);
    if (shaped.codePoints().noneMatch(ShapedText::isUnseen)) {
      return shaped;
    }
    StringBuilder seen = new StringBuilder(shaped.length());
    shaped.codePoints().filter(c -> !isUnseen(c)).forEach(seen::appendCodePoint);
    return seen.toString();
  }

  private static boolean isUnseen(int c) {
    return (c >= 0xFE00 && c <= 0xFE0F)
        || (c >= 0xE0000 && c <= 0xE0FFF)
        || (c >= 0x200B && c <= 0x200D)
        || (c >= 0x202A && c <= 0x202E)
        || (c >= 0x2060 && c <= 0x206F)
        || c == 0x061C
        || c == 0xFEFF;
  }

  /** Returns the text, followed by a mark that separates a right-to-left text from what follows. */
  public static String apart(String text) {
    return isRightToLeft(text) ? text + LEFT_TO_RIGHT : text;
  }

  /** Returns the text between two marks, so that it is set in a left-to-right line. */
  public static String leftToRight(String text) {
    return LEFT_TO_RIGHT + text + LEFT_TO_RIGHT;
  }

  /** True if the text has right-to-left characters. */
  public static boolean isRightToLeft(String text) {
    return text.codePoints().anyMatch(ShapedText::isRightToLeft);
  }

  private static boolean isRightToLeft(int c) {
    byte direction = Character.getDirectionality(c);
    return direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT
        || direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT_ARABIC;
  }

  /** Adds the characters of a text that a font lacks, except control characters. */
  public static void addMissing(String text, FontCoverage font, Set<Integer> missing) {
    text.codePoints()
        .filter(c -> !Character.isISOControl(c) && !isMark(c) && !font.has(c))
        .forEach(missing::add);
  }
}
