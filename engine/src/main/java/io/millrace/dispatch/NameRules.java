package io.millrace.dispatch;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StorableText;

/** Rules for names that are set at run time. */
public final class NameRules {

  private static final int MAX_NAME = 100;
  private static final int MAX_KEY = 200;

  private NameRules() {}

  /** Checks a name of a variable, step or signal. */
  public static void check(String what, String name) {
    require(what + " name", name, MAX_NAME);
  }

  /** Checks a caller's key. */
  public static void checkKey(String what, String key) {
    require(what, key, MAX_KEY);
  }

  private static void require(String what, String text, int most) {
    InvalidRequestException.requirePresent(text, "The " + what);
    if (text.isBlank() || text.length() > most || !StorableText.isStorable(text)) {
      throw new InvalidRequestException(
          "The "
              + what
              + " '"
              + StorableText.repaired(text.length() > most ? text.substring(0, most) + "…" : text)
              + "' is invalid; expected 1 to "
              + most
              + " characters, not blank, "
              + StorableText.EXPECTED
              + ".");
    }
  }
}
