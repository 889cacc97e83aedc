package io.millrace.report.pdf;

import com.openhtmltopdf.extend.FSTextBreaker;
import java.text.BreakIterator;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Breaks lines by the rules of Unicode, and paths after a slash. The renderer's own rule is made
 * for web addresses and also breaks numbers.
 */
final class LineBreaker implements FSTextBreaker {

  private static final Set<Character.UnicodeScript> SPACELESS =
      EnumSet.of(
          Character.UnicodeScript.HIRAGANA,
          Character.UnicodeScript.KATAKANA,
          Character.UnicodeScript.THAI);

  private Iterator<Integer> places = new TreeSet<Integer>().iterator();

  @Override
  public int next() {
    return places.hasNext() ? places.next() : BreakIterator.DONE;
  }

  @Override
  public void setText(String text) {
    TreeSet<Integer> found = new TreeSet<>();
    BreakIterator breaks = BreakIterator.getLineInstance(Locale.ROOT);
    breaks.setText(text);
    for (int at = breaks.next(); at != BreakIterator.DONE; at = breaks.next()) {
      if (isGood(text, at)) {
        found.add(at);
      }
    }
    for (int slash = text.indexOf('/'); slash >= 0; slash = text.indexOf('/', slash + 1)) {
      if (slash > 0 && slash + 1 < text.length()) {
        found.add(slash + 1);
      }
    }
    places = found.iterator();
  }

  /**
   * True if a line may break here: after a space or a dash, or next to a character that is a word,
   * but not within a number or name.
   */
  private static boolean isGood(String text, int at) {
    if (at >= text.length()) {
      return true;
    }
    int before = text.codePointBefore(at);
    int after = text.codePointAt(at);
    if (Character.isWhitespace(before) || isWithoutSpaces(before) || isWithoutSpaces(after)) {
      return true;
    }
    return Character.getType(before) == Character.DASH_PUNCTUATION && Character.isLetter(after);
  }

  /** True for the characters of scripts that put no spaces between words. */
  private static boolean isWithoutSpaces(int character) {
    return Character.isIdeographic(character)
        || SPACELESS.contains(Character.UnicodeScript.of(character));
  }
}
