package io.millrace.server.config;

import org.jspecify.annotations.Nullable;

/**
 * A key with its effective value.
 *
 * @param value masked if it is secret; null if nothing is set
 * @param origin the place where it is set; {@code default} if it is not set
 * @param meaning one line of description
 */
public record ConfigSetting(String key, @Nullable String value, String origin, String meaning) {

  private static final String DEFAULT = "default";

  static ConfigSetting ofDefault(String key, @Nullable String value, String meaning) {
    return new ConfigSetting(key, value, DEFAULT, meaning);
  }

  /** True if the value was set explicitly. */
  public boolean given() {
    return !origin.equals(DEFAULT);
  }
}
