package io.millrace.server.config;

import org.jspecify.annotations.Nullable;

/**
 * A key with the value that counts.
 *
 * @param value masked if it is secret; null where nothing is set
 * @param origin where it was written; {@code default} for nowhere
 */
public record Setting(String key, @Nullable String value, String origin) {

  private static final String DEFAULT = "default";

  static Setting ofDefault(String key, @Nullable String value) {
    return new Setting(key, value, DEFAULT);
  }

  /** True if somebody wrote it. */
  public boolean given() {
    return !origin.equals(DEFAULT);
  }
}
