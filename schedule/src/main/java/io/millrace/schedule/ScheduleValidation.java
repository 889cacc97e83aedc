package io.millrace.schedule;

import java.util.Arrays;
import java.util.stream.Collectors;

/** A reader of the names of constants, with an error that lists them. */
final class ScheduleValidation {

  private ScheduleValidation() {}

  /** Returns the constant of that name, in upper or lower case, with {@code -} or {@code _}. */
  static <E extends Enum<E>> E constant(Class<E> type, String what, String text) {
    String name = text.strip().replace('-', '_');
    for (E one : type.getEnumConstants()) {
      if (one.name().equalsIgnoreCase(name)) {
        return one;
      }
    }
    throw new InvalidScheduleException(
        what
            + " '"
            + shortened(text)
            + "' is unknown; expected one of "
            + Arrays.stream(type.getEnumConstants())
                .map(Enum::name)
                .collect(Collectors.joining(", "))
            + ".");
  }

  /** Returns a text cut to the length that an error message shows. */
  static String shortened(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "...";
  }

  static void require(boolean valid, String message) {
    if (!valid) {
      throw new InvalidScheduleException(message);
    }
  }
}
