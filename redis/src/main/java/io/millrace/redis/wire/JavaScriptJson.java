package io.millrace.redis.wire;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.codec.CodecException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts values to the JSON text that JavaScript's {@code JSON.stringify} writes, byte for byte,
 * and back. Jackson determines the properties of a class; times are text in UTC with milliseconds.
 * Thread-safe.
 *
 * <p>A number with more digits than JavaScript keeps, such as a {@code long} beyond 2<sup>53</sup>,
 * is written with all of them: Java reads all of them, JavaScript rounds. The first such value of a
 * field is logged as a warning.
 */
public final class JavaScriptJson {

  private static final Logger LOG = LoggerFactory.getLogger(JavaScriptJson.class);
  private static final int MAX_WARNINGS = 100;
  private static final JavaScriptJson STANDARD = new JavaScriptJson(JsonMapper.builder().build());

  private final JsonMapper mapper;
  private final Set<String> warnedFields = ConcurrentHashMap.newKeySet();

  private JavaScriptJson(JsonMapper mapper) {
    this.mapper =
        mapper
            .rebuild()
            .addModule(JsDates.module())
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
  }

  /**
   * Returns a converter with Jackson's defaults; the fields of a class are in the order of
   * declaration.
   */
  public static JavaScriptJson standard() {
    return STANDARD;
  }

  /** Returns a converter with the modules and annotations of a given mapper. */
  public static JavaScriptJson of(JsonMapper mapper) {
    return new JavaScriptJson(requirePresent(mapper, "The mapper"));
  }

  /**
   * Returns the text of a value; that of null is {@code null}.
   *
   * @throws CodecException if the value cannot be written, such as one that contains itself
   */
  public String write(@Nullable Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  /**
   * Returns the texts of fields, in their order.
   *
   * @throws CodecException if a field cannot be written; the message names the first one
   */
  public SequencedMap<String, String> writeAll(Map<String, ?> fields) {
    SequencedMap<String, String> texts = LinkedHashMap.newLinkedHashMap(fields.size());
    fields.forEach((name, value) ->
        texts.put(name, CodecException.naming("Field '" + name + "'", () -> named(name, value))));
    return texts;
  }

  private String named(String name, @Nullable Object value) {
    StringBuilder out = new StringBuilder();
    String tooLong = write(value, out);
    if (tooLong != null && warnedFields.size() < MAX_WARNINGS && warnedFields.add(name)) {
      LOG.warn(
          "Field '{}' has the number {}, of which JavaScript does not keep all digits: write it as"
              + " text if workers in Node.js need them",
          name,
          tooLong);
    }
    return out.toString();
  }

  /** Writes a value; returns a number in it that JavaScript cannot hold, or null. */
  private @Nullable String write(@Nullable Object value, StringBuilder out) {
    try {
      JsWriter writer = new JsWriter(out, mapper);
      writer.value(value);
      return writer.tooLong();
    } catch (JacksonException e) {
      throw unwritable(value, e.getOriginalMessage(), e);
    } catch (StackOverflowError e) {
      throw unwritable(value, "it is nested too deeply, or contains itself", e);
    }
  }

  private static CodecException unwritable(@Nullable Object value, String why, Throwable cause) {
    String type = value == null ? "null" : value.getClass().getName();
    return new CodecException("A value of " + type + " cannot be written as JSON: " + why, cause);
  }

  /**
   * Returns the value of a text.
   *
   * @throws CodecException if it is not JSON, or has half a surrogate pair in the name of a
   *     property
   */
  public JsonNode read(String text) {
    try {
      JsonNode value = mapper.readTree(text);
      if (value.isMissingNode()) {
        throw new CodecException("This is not JSON: it is empty", null);
      }
      return value;
    } catch (JacksonException e) {
      throw new CodecException("This is not JSON: " + e.getOriginalMessage(), e);
    }
  }

  /**
   * Returns the value of a text.
   *
   * @return null for JSON's null
   * @throws CodecException if it is not JSON, or does not fit the type
   */
  public <T> @Nullable T read(String text, Class<T> type) {
    try {
      return mapper.readValue(text, type);
    } catch (JacksonException e) {
      throw new CodecException(
          "JSON cannot be read as " + type.getName() + ": " + e.getOriginalMessage(), e);
    }
  }

  /** Converts a value that was read before. */
  public <T> @Nullable T convert(JsonNode value, Class<T> type) {
    try {
      return mapper.treeToValue(value, type);
    } catch (JacksonException e) {
      throw new CodecException(
          "JSON cannot be read as " + type.getName() + ": " + e.getOriginalMessage(), e);
    }
  }

  /**
   * Returns the lookup values of a value: the text of a string or number, or of each element of an
   * array, including duplicates; nothing for other values.
   */
  public List<String> lookups(@Nullable Object value) {
    JsonNode node = mapper.valueToTree(value);
    if (node.isArray()) {
      List<String> texts = new ArrayList<>(node.size());
      node.forEach(element -> texts.add(JsString.of(element)));
      return texts;
    }
    return node.isString() || node.isNumber() ? List.of(JsString.of(node)) : List.of();
  }

  /**
   * Returns the text of a value in the key of a lookup list, which is JavaScript's {@code
   * String(value)}.
   */
  public String lookup(@Nullable Object value) {
    return JsString.of(mapper.valueToTree(value));
  }
}
