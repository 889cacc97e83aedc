package io.millrace.server.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys of secret variables.
 *
 * @param keys base64 by name
 * @param active the name of the key that encrypts; null if there are none
 */
public record Secrets(Map<String, String> keys, @Nullable String active) {
  @Override
  public String toString() {
    return "Secrets[keys=" + keys.keySet() + ", active=" + active + "]";
  }
}
