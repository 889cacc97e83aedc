package io.millrace.server.config;

import io.millrace.codec.SecretKeys;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys of secret variables, and further names of secret values.
 *
 * @param keys keys in base64, by name
 * @param active the name of the key that encrypts; null if there are none
 * @param names names in addition to the fixed ones
 */
public record SecretsConfig(Map<String, String> keys, @Nullable String active, List<String> names) {
  /** Returns the keys for an engine; null if there are none. */
  public @Nullable SecretKeys forEngine() {
    String first = active;
    if (first == null) {
      return null;
    }
    SecretKeys all = SecretKeys.of(first, bytes(first));
    for (String id : keys.keySet()) {
      if (!id.equals(first)) {
        all = all.reading(id, bytes(id));
      }
    }
    return all;
  }

  private byte[] bytes(String id) {
    return Base64.getDecoder().decode(keys.get(id));
  }

  @Override
  public String toString() {
    return "Secrets[keys=" + keys.keySet() + ", active=" + active + ", names=" + names + "]";
  }
}
