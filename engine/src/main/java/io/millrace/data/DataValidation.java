package io.millrace.data;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StorableText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Validation of texts, times and numbers. */
final class DataValidation {

  private static final int SHOWN = 60;

  private DataValidation() {}

  /** Returns a validated name, whose whole text is stored. */
  static String name(String what, @Nullable String given, int most) {
    String text = InvalidRequestException.requirePresent(given, "The " + what);
    if (text.isBlank() || text.length() > most || !StorableText.isStorable(text)) {
      throw new InvalidRequestException(
          "The "
              + what
              + " '"
              + shown(text)
              + "' has "
              + text.length()
              + " characters; expected 1 to "
              + most
              + " characters, not blank, "
              + StorableText.EXPECTED
              + ".");
    }
    return text;
  }

  /** Returns a validated text of at most {@code mostBytes} bytes in UTF-8. */
  static String text(String what, @Nullable String given, int mostBytes) {
    String text = InvalidRequestException.requirePresent(given, what);
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > mostBytes) {
      throw new InvalidRequestException(
          what
              + " has "
              + bytes
              + " bytes in UTF-8; expected at most "
              + mostBytes
              + ". Keep large data elsewhere and store a reference to it.");
    }
    if (!StorableText.isStorable(text)) {
      throw new InvalidRequestException(
          what + " has NUL or half of a surrogate pair in it, which no database keeps; encode it.");
    }
    return text;
  }

  static void positive(String what, @Nullable Duration time) {
    if (time != null && (time.isNegative() || time.isZero())) {
      throw new InvalidRequestException(
          what + " is " + time + "; expected more than nothing, or null for no limit.");
    }
  }

  static void between(String what, int number, int least, int most) {
    if (number < least || number > most) {
      throw new InvalidRequestException(
          what + " is " + number + ", expected " + least + " to " + most + ".");
    }
  }

  private static String shown(String text) {
    return StorableText.repaired(text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text);
  }
}
