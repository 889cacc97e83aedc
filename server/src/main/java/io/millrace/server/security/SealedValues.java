package io.millrace.server.security;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The masking of secrets in JSON for readers. A secret is an object with a field {@code $secret},
 * at any depth. It is replaced by a mask.
 */
public final class SealedValues {

  /** The mask in place of a secret. */
  public static final String MASK = "{\"$secret\":\"***\"}";

  private static final String FIELD = "$secret";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private SealedValues() {}

  /** True if the whole value is a secret. */
  public static boolean isSecret(@Nullable String json) {
    if (json == null || !mayHold(json)) {
      return false;
    }
    JsonNode value = read(json);
    return value == null || isSecret(value);
  }

  /**
   * Returns the text without its secrets. A text without a secret is returned unchanged. A text
   * that may hold one but is not JSON is masked as a whole.
   */
  public static String mask(String json) {
    if (!mayHold(json)) {
      return json;
    }
    JsonNode value = read(json);
    return value == null ? MASK : JSON.writeValueAsString(mask(value));
  }

  /** True if the text may hold a secret. The name of the field can also be written with escapes. */
  private static boolean mayHold(String json) {
    return json.contains(FIELD) || json.contains("\\u");
  }

  private static @Nullable JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (JacksonException e) {
      return null;
    }
  }

  private static JsonNode mask(JsonNode value) {
    if (isSecret(value)) {
      return JSON.createObjectNode().put(FIELD, "***");
    }
    if (value.isObject()) {
      ObjectNode masked = JSON.createObjectNode();
      value.propertyStream().forEach(p -> masked.set(p.getKey(), mask(p.getValue())));
      return masked;
    }
    if (value.isArray()) {
      ArrayNode masked = JSON.createArrayNode();
      value.forEach(item -> masked.add(mask(item)));
      return masked;
    }
    return value;
  }

  /** True for an object with the field, even beside others: it is better to hide too much. */
  private static boolean isSecret(JsonNode value) {
    return value.isObject() && value.has(FIELD);
  }
}
