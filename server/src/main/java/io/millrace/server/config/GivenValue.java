package io.millrace.server.config;

import com.typesafe.config.ConfigValue;

/**
 * A value somebody wrote.
 *
 * @param path the key with its index or name
 * @param name the key as it was written there
 * @param origin where it was written
 */
record GivenValue(String path, String name, ConfigKey<?> key, ConfigValue value, String origin) {

  /** The value for people's eyes. */
  String shown() {
    if (key.secret()) {
      return PasswordMasking.MASK;
    }
    return shown(value.unwrapped());
  }

  static String shown(Object value) {
    if (value instanceof Iterable<?> parts) {
      StringBuilder text = new StringBuilder();
      for (Object part : parts) {
        text.append(text.isEmpty() ? "" : ", ").append(part);
      }
      return text.toString();
    }
    return PasswordMasking.url(String.valueOf(value));
  }
}
