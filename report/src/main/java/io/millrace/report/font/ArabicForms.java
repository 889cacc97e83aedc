package io.millrace.report.font;

import java.text.Normalizer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The shapes of Arabic letters, which depend on their neighbors. Unicode has a character for each
 * shape, which is all that a font without rules of its own needs.
 */
public final class ArabicForms {

  private static final int ISOLATED = 0;
  private static final int FINAL = 1;
  private static final int INITIAL = 2;
  private static final int MEDIAL = 3;
  private static final String[] ENDINGS = {
    " ISOLATED FORM", " FINAL FORM", " INITIAL FORM", " MEDIAL FORM"
  };

  private static final char NON_JOINER = '\u200C';
  private static final char JOINER = '\u200D';
  private static final char TATWEEL = '\u0640';
  private static final char LAM = '\u0644';

  /** Four forms of each letter or ligature of two letters; 0 for a form that does not exist. */
  private static final Map<String, char[]> FORMS = forms();

  private ArabicForms() {}

  private static Map<String, char[]> forms() {
    Map<String, char[]> forms = new HashMap<>();
    for (char c = '\uFB50'; c <= '\uFEFC'; c++) {
      String name = Character.getName(c);
      String base =
          name == null ? "" : Normalizer.normalize(String.valueOf(c), Normalizer.Form.NFKC);
      boolean lamAlef = base.length() == 2 && base.charAt(0) == LAM && c >= '\uFEF5';
      for (int form = ISOLATED; name != null && form <= MEDIAL; form++) {
        if (name.endsWith(ENDINGS[form]) && (base.length() == 1 || lamAlef)) {
          forms.computeIfAbsent(base, b -> new char[4])[form] = c;
        }
      }
    }
    return forms;
  }

  /** Returns the text in the same order, with each letter replaced by its shape. */
  public static String shape(String text) {
    if (text.chars().noneMatch(ArabicForms::isArabic)) {
      return text;
    }
    StringBuilder shaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      char[] forms = null;
      int last = i;
      if (letter == LAM && i + 1 < text.length()) {
        forms = FORMS.get(text.substring(i, i + 2));
        last = forms == null ? i : i + 1;
      }
      forms = forms == null ? FORMS.get(String.valueOf(letter)) : forms;
      if (forms == null) {
        shaped.append(letter);
        continue;
      }
      boolean before = joinsNext(neighbor(text, i, -1)) && forms[FINAL] != 0;
      boolean after = forms[INITIAL] != 0 && joinsPrevious(neighbor(text, last, 1));
      int form = before ? (after ? MEDIAL : FINAL) : (after ? INITIAL : ISOLATED);
      shaped.append(forms[form] == 0 ? letter : forms[form]);
      i = last;
    }
    return shaped.toString();
  }

  private static boolean isArabic(int c) {
    return c >= 0x600 && c <= 0x8FF;
  }

  /** Returns the next letter in a direction, ignoring marks; 0 at the end. */
  private static char neighbor(String text, int from, int step) {
    int at = from + step;
    while (at >= 0 && at < text.length()) {
      if (Character.getType(text.charAt(at)) != Character.NON_SPACING_MARK) {
        return text.charAt(at);
      }
      at += step;
    }
    return 0;
  }

  private static boolean joinsNext(char c) {
    char[] forms = FORMS.get(String.valueOf(c));
    return c == TATWEEL || c == JOINER || (forms != null && forms[INITIAL] != 0);
  }

  private static boolean joinsPrevious(char c) {
    char[] forms = FORMS.get(String.valueOf(c));
    return c != NON_JOINER && (c == TATWEEL || c == JOINER || (forms != null && forms[FINAL] != 0));
  }

  /**
   * Returns the letters of a shape, with joiners that make a font with its own shaping rules draw
   * that shape; null for every other character.
   */
  static @Nullable String joined(int codePoint) {
    if (codePoint < 0xFB50 || codePoint > 0xFEFC) {
      return null;
    }
    String shape = Character.toString(codePoint);
    String letters = Normalizer.normalize(shape, Normalizer.Form.NFKC);
    char[] forms = FORMS.get(letters);
    if (forms == null) {
      return null;
    }
    boolean before = codePoint == forms[FINAL] || codePoint == forms[MEDIAL];
    boolean after = codePoint == forms[INITIAL] || codePoint == forms[MEDIAL];
    return (before ? String.valueOf(JOINER) : "") + letters + (after ? JOINER : "");
  }
}
