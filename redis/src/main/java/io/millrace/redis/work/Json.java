package io.millrace.redis.work;

import io.millrace.codec.CodecException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The fields of jobs as JSON. Thread-safe. */
final class Json {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  String write(@Nullable Object value) {
    return MAPPER.writeValueAsString(value);
  }

  /**
   * The value of a field.
   *
   * @param what names it in an error
   */
  <T> @Nullable T read(String what, String text, Class<T> type) {
    try {
      return MAPPER.readValue(text, type);
    } catch (JacksonException e) {
      throw new CodecException(
          what + " cannot be read as " + type.getName() + ": " + e.getOriginalMessage(), e);
    }
  }

  /** All fields as one value. */
  <T> T readFields(String what, List<String> names, List<@Nullable String> texts, Class<T> type) {
    ObjectNode all = MAPPER.createObjectNode();
    for (int i = 0; i < names.size(); i++) {
      String text = texts.get(i);
      if (text != null) {
        all.set(names.get(i), tree(what + ", field '" + names.get(i) + "'", text));
      }
    }
    try {
      return MAPPER.treeToValue(all, type);
    } catch (JacksonException e) {
      throw new CodecException(
          what + " cannot be read as " + type.getName() + ": " + e.getOriginalMessage(), e);
    }
  }

  private static JsonNode tree(String what, String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JacksonException e) {
      throw new CodecException(what + " is no JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** The text in a JSON string; what is none is answered as it stands, nothing for null. */
  Optional<String> plain(String text) {
    try {
      JsonNode node = MAPPER.readTree(text);
      return node.isNull() ? Optional.empty() : Optional.of(node.asString(text));
    } catch (JacksonException e) {
      return Optional.of(text);
    }
  }
}
