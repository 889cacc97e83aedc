package io.millrace.store.sql;

import io.millrace.codec.PlainJson;
import io.millrace.instance.StorableText;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Texts cut and repaired to fit their columns. */
final class ColumnTexts {

  static final int MAX_ERROR = 16_000;
  static final int MAX_REASON = 1_000;
  static final int MAX_SEARCH = 200;
  static final int MAX_MESSAGE = 8_000;

  private static final int MAX_ACTOR = 100;
  private static final int MAX_HOST = 255;
  private static final int MAX_STATE = 100;
  private static final int MAX_ACTION = 50;
  private static final int MAX_TARGET = 300;
  private static final int MAX_WORD = 100;
  private static final int MAX_DETAIL = 1_200;
  private static final int MAX_LEVEL = 10;
  private static final int MAX_LOGGER = 200;
  private static final char ELLIPSIS = '…';

  private ColumnTexts() {}

  static @Nullable String reason(@Nullable String text) {
    return text == null ? null : fit(text, MAX_REASON);
  }

  static @Nullable String error(@Nullable String text) {
    return text == null ? null : fit(text, MAX_ERROR);
  }

  static @Nullable String actor(@Nullable String name) {
    return name == null ? null : fit(name, MAX_ACTOR);
  }

  /** Returns a short text from a small set, such as the reason of a start. */
  static @Nullable String word(@Nullable String text) {
    return text == null ? null : fit(text, MAX_WORD);
  }

  /** Returns the detail of an event, for people. */
  static @Nullable String detail(@Nullable String text) {
    return text == null ? null : fit(text, MAX_DETAIL);
  }

  static String host(String text) {
    return fit(text, MAX_HOST);
  }

  static @Nullable String state(@Nullable String name) {
    return name == null ? null : fit(name, MAX_STATE);
  }

  static String level(String name) {
    return fit(name, MAX_LEVEL);
  }

  static String logger(String name) {
    return fit(name, MAX_LOGGER);
  }

  /** Returns the text of a log line. */
  static String message(String text) {
    return fit(text, MAX_MESSAGE);
  }

  static String action(String name) {
    return fit(name, MAX_ACTION);
  }

  static @Nullable String target(@Nullable String text) {
    return text == null ? null : fit(text, MAX_TARGET);
  }

  /** Returns a text of any length. */
  static @Nullable String whole(@Nullable String text) {
    return text == null ? null : fit(text, Integer.MAX_VALUE);
  }

  /** Cuts a text that is too long, and replaces characters that a database cannot store. */
  private static String fit(String text, int max) {
    String clean = StorableText.repaired(text);
    if (clean.length() <= max) {
      return clean;
    }
    int end = max - 1;
    if (Character.isHighSurrogate(clean.charAt(end - 1))) {
      end--;
    }
    return clean.substring(0, end) + ELLIPSIS;
  }

  /**
   * Returns the pattern for LIKE, with {@code !} as its escape, of lower-case texts with this
   * prefix.
   */
  static String prefixPattern(String prefix) {
    return fit(prefix, Integer.MAX_VALUE).toLowerCase(Locale.ROOT).replaceAll("[!%_]", "!$0") + "%";
  }

  /** Returns a JSON text by which an instance may be searched; null if it is not a short scalar. */
  static @Nullable String searchable(String json) {
    return json.length() > MAX_SEARCH || json.startsWith("{") || json.startsWith("[") ? null : json;
  }

  /** Returns JSON texts by name as one JSON object, sorted by name; null if there are none. */
  static @Nullable String object(Map<String, @Nullable String> values) {
    if (values.isEmpty()) {
      return null;
    }
    StringBuilder out = new StringBuilder();
    char separator = '{';
    for (Map.Entry<String, @Nullable String> value : new TreeMap<>(values).entrySet()) {
      out.append(separator);
      PlainJson.quote(value.getKey(), out);
      out.append(':').append(value.getValue());
      separator = ',';
    }
    return out.append('}').toString();
  }
}
