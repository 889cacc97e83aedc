package io.millrace.server.config;

import org.jspecify.annotations.Nullable;

/**
 * A key with the value that counts.
 *
 * @param value masked if it is secret; null where nothing is set
 * @param origin where it was written; {@code default} for nowhere
 * @param meaning one line for the reader
 */
public record ConfigSetting(String key, @Nullable String value, String origin, String meaning) {

  private static final String DEFAULT = "default";

  static ConfigSetting ofDefault(String key, @Nullable String value, String meaning) {
    return new ConfigSetting(key, value, DEFAULT, meaning);
  }

  /** True if somebody wrote it. */
  public boolean given() {
    return !origin.equals(DEFAULT);
  }
}
