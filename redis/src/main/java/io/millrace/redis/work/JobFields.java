package io.millrace.redis.work;

import io.millrace.codec.CodecException;
import io.millrace.redis.wire.JavaScriptJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Converts fields of a job to values. */
final class JobFields {

  private JobFields() {}

  /**
   * Returns the value of a field.
   *
   * @param what names it in an error
   */
  static <T> Optional<T> read(JavaScriptJson json, String what, String text, Class<T> type) {
    return Optional.ofNullable(CodecException.naming(what, () -> json.read(text, type)));
  }

  /** Returns all fields as one value. */
  static <T> Optional<T> readAll(
      JavaScriptJson json,
      String what,
      List<String> names,
      List<@Nullable String> texts,
      Class<T> type) {
    Map<String, JsonNode> all = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      String text = texts.get(i);
      if (text != null) {
        all.put(
            name, CodecException.naming("Field '" + name + "' of " + what, () -> json.read(text)));
      }
    }
    return read(json, what, json.write(all), type);
  }

  /**
   * Returns the content of a JSON string; a text that is not a JSON string unchanged, nothing for
   * null.
   */
  static Optional<String> plain(JavaScriptJson json, String text) {
    try {
      JsonNode node = json.read(text);
      return node.isNull() ? Optional.empty() : Optional.of(node.asString(text));
    } catch (CodecException e) {
      return Optional.of(text);
    }
  }
}
