package io.millrace.testing;

import io.millrace.codec.PlainJson;
import io.millrace.instance.StorableText;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Texts cut and repaired as by the tables of a database. */
final class MemoryColumnTexts {

  private static final int MAX_REASON = 1_000;
  private static final int MAX_ERROR = 16_000;
  private static final int MAX_MESSAGE = 8_000;
  private static final int MAX_LOGGER = 200;

  private MemoryColumnTexts() {}

  static @Nullable String reason(@Nullable String text) {
    return text == null ? null : cut(text, MAX_REASON);
  }

  static @Nullable String error(@Nullable String text) {
    return text == null ? null : cut(text, MAX_ERROR);
  }

  static String logger(String name) {
    return cut(name, MAX_LOGGER);
  }

  /** Returns the text of a log line. */
  static String message(String text) {
    return cut(text, MAX_MESSAGE);
  }

  /**
   * Cuts between characters, not within one, and replaces characters that a database cannot store.
   */
  private static String cut(String given, int max) {
    String text = StorableText.repaired(given);
    if (text.length() <= max) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(max - 2)) ? max - 2 : max - 1;
    return text.substring(0, end) + '…';
  }

  /** Returns changed variables as one JSON object with sorted names; null if there are none. */
  static @Nullable String object(Map<String, @Nullable String> variables) {
    if (variables.isEmpty()) {
      return null;
    }
    return new TreeMap<>(variables)
        .entrySet().stream()
            .map(e -> PlainJson.quote(e.getKey()) + ":" + e.getValue())
            .collect(Collectors.joining(",", "{", "}"));
  }
}
