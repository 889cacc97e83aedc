package io.millrace.server.http;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** The JSON format of requests, parsed strictly, and of responses. */
public final class StrictJson {

  private static final int MAX_DIGITS = 1000;

  /** Upper limit of nested arrays and objects, the same as in the engine's codec. */
  private static final int DEPTH = 64;

  private static final JsonMapper STRICT =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEPTH)
                          .maxNumberLength(MAX_DIGITS)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private static final JsonMapper WRITER = JsonMapper.builder().build();

  private StrictJson() {}

  /** Returns a value as JSON text. */
  public static String write(Object value) {
    return WRITER.writeValueAsString(value);
  }

  /** Returns a value as JSON in UTF-8. */
  public static byte[] bytes(Object value) {
    return WRITER.writeValueAsBytes(value);
  }

  /** Parses a JSON text from a client; numbers keep all their digits. */
  public static JsonNode read(String field, String text) {
    JsonNode node;
    try {
      node = STRICT.readTree(text);
    } catch (StreamConstraintsException e) {
      throw ProblemException.invalid(
          field,
          "is too large"
              + where(e)
              + ": expected at most "
              + DEPTH
              + " levels, and numbers of at most "
              + MAX_DIGITS
              + " digits.");
    } catch (JacksonException e) {
      throw ProblemException.invalid(
          field, "is no valid JSON" + where(e) + ": " + e.getOriginalMessage());
    }
    if (node.isMissingNode()) {
      throw ProblemException.invalid(field, "is empty; expected JSON.");
    }
    check(field, node);
    return node;
  }

  /** Returns a value as texts, numbers, booleans, lists and maps; null for null. */
  static @Nullable Object plain(JsonNode value) {
    return STRICT.treeToValue(value, Object.class);
  }

  private static String where(JacksonException e) {
    return e.getLocation() == null
        ? ""
        : " (line "
            + e.getLocation().getLineNr()
            + ", column "
            + e.getLocation().getColumnNr()
            + ")";
  }

  private static void check(String field, JsonNode node) {
    if (node.isString()) {
      InputText.checked(field, node.stringValue());
    }
    node.propertyStream()
        .forEach(property -> {
          InputText.checked(field, property.getKey());
          check(field, property.getValue());
        });
    if (node.isArray()) {
      node.forEach(item -> check(field, item));
    }
  }
}
