package io.millrace.server.bulk;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A value that a user searches for: JSON, or else plain text. */
final class VariableValue {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private VariableValue() {}

  static Object of(String text) {
    try {
      JsonNode node = MAPPER.readTree(text);
      return node.isMissingNode() ? text : node;
    } catch (JacksonException e) {
      return text;
    }
  }
}
