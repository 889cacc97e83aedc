package io.millrace.server.config;

import com.typesafe.config.ConfigValue;

/**
 * A value that is set explicitly.
 *
 * @param path the key with its index or the user's name
 * @param name the key as it is written in the source
 * @param origin the place where it is written
 */
record GivenValue(String path, String name, ConfigKey<?> key, ConfigValue value, String origin) {

  /** Returns the value for messages, masked if it is secret. */
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
