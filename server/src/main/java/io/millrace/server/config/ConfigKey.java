package io.millrace.server.config;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One key of the configuration.
 *
 * @param path its name, with dots; {@code []} stands for each entry of a list, {@code <id>} for a
 *     name of the user's choice
 * @param fallback the default as a user would write it; null where nothing is the default
 * @param meaning one line for the reader of the manual
 * @param secret true if its value is never shown
 */
record ConfigKey<T>(
    String path, ConfigType<T> kind, @Nullable String fallback, String meaning, boolean secret) {

  static final String PREFIX = "millrace.";
  static final String ENGINE = "engine.";
  private static final String ANY_ID = "<id>";
  private static final Pattern INDEX = Pattern.compile("\\[\\d+]");

  /** The name of the environment variable that sets {@code path}. */
  static String variable(String prefix, String path) {
    return (prefix + path).replace('.', '_').toUpperCase(Locale.ROOT);
  }

  /** Whether {@code actual}, a path in somebody's file, is a place for this key. */
  boolean matches(String actual) {
    if (path.endsWith(ANY_ID)) {
      String parent = path.substring(0, path.length() - ANY_ID.length());
      return actual.startsWith(parent)
          && actual.length() > parent.length()
          && actual.indexOf('.', parent.length()) < 0;
    }
    return path.equals(INDEX.matcher(actual).replaceAll("[]"));
  }

  /** This key in entry {@code index} of its list. */
  ConfigKey<T> at(int index) {
    return new ConfigKey<>(path.replace("[]", "[" + index + "]"), kind, fallback, meaning, secret);
  }

  /** This key for the user's own name {@code id}. */
  ConfigKey<T> named(String id) {
    return new ConfigKey<>(path.replace(ANY_ID, id), kind, fallback, meaning, secret);
  }

  /** True if this key has one place only, so that a property or variable can be named after it. */
  boolean single() {
    return path.indexOf('[') < 0 && !path.endsWith(ANY_ID);
  }
}
