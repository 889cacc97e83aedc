package io.millrace.server.config;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A key of the configuration.
 *
 * @param path its name, with dots; {@code []} stands for each entry of a list, {@code <id>} for a
 *     name that the user chooses
 * @param fallback the default as a user would write it; null for no default
 * @param meaning one line for the manual
 * @param secret true if its value is never shown
 */
record ConfigKey<T>(
    String path, ConfigType<T> kind, @Nullable String fallback, String meaning, boolean secret) {

  static final String PREFIX = "millrace.";
  static final String ENGINE = "engine.";
  private static final String ANY_ID = "<id>";
  private static final Pattern INDEX = Pattern.compile("\\[\\d+]");

  /** Returns the name of the environment variable that sets {@code path}. */
  static String variable(String prefix, String path) {
    return (prefix + path).replace('.', '_').toUpperCase(Locale.ROOT);
  }

  /** True if {@code actual}, a path in a file, is a place for this key. */
  boolean matches(String actual) {
    if (path.endsWith(ANY_ID)) {
      String parent = path.substring(0, path.length() - ANY_ID.length());
      return actual.startsWith(parent)
          && actual.length() > parent.length()
          && actual.indexOf('.', parent.length()) < 0;
    }
    return path.equals(INDEX.matcher(actual).replaceAll("[]"));
  }

  /** Returns this key for entry {@code index} of its list. */
  ConfigKey<T> at(int index) {
    return new ConfigKey<>(path.replace("[]", "[" + index + "]"), kind, fallback, meaning, secret);
  }

  /** Returns this key for the name {@code id} that the user chose. */
  ConfigKey<T> named(String id) {
    return new ConfigKey<>(path.replace(ANY_ID, id), kind, fallback, meaning, secret);
  }

  /** True if this key has only one place, so that a property or variable can be named after it. */
  boolean single() {
    return path.indexOf('[') < 0 && !path.endsWith(ANY_ID);
  }
}
