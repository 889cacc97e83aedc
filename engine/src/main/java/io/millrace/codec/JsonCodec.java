package io.millrace.codec;

import io.millrace.instance.StorableText;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The default codec, on Jackson. Times are ISO-8601 text, map entries are written in key order.
 * Thread-safe.
 */
public final class JsonCodec implements Codec {

  /**
   * Shared, since a mapper learns each class once, which costs more than all else about a small
   * engine.
   */
  private static final JsonMapper DEFAULT = mapper(JsonLimits.DEFAULT);

  private final JsonMapper mapper;
  private final JsonLimits jsonLimits;

  public JsonCodec() {
    this(JsonLimits.DEFAULT);
  }

  public JsonCodec(JsonLimits jsonLimits) {
    this.jsonLimits = jsonLimits;
    this.mapper = jsonLimits.equals(JsonLimits.DEFAULT) ? DEFAULT : mapper(jsonLimits);
  }

  private static JsonMapper mapper(JsonLimits jsonLimits) {
    return JsonMapper.builder(
            JsonFactory.builder()
                .streamWriteConstraints(
                    StreamWriteConstraints.builder().maxNestingDepth(jsonLimits.maxDepth()).build())
                .streamReadConstraints(
                    StreamReadConstraints.builder()
                        .maxNestingDepth(jsonLimits.maxDepth())
                        .maxNumberLength(jsonLimits.maxBytes())
                        .maxNameLength(jsonLimits.maxBytes())
                        .maxStringLength(jsonLimits.maxBytes())
                        .build())
                .build())
        .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
        .build();
  }

  @Override
  public String encode(Object value) {
    String json = write(value);
    int bytes = sizeOf(json);
    if (bytes > jsonLimits.maxBytes()) {
      throw new CodecException(
          "A value of "
              + value.getClass().getName()
              + " has "
              + bytes
              + " bytes as JSON, expected at most "
              + jsonLimits.maxBytes()
              + ". Keep large data elsewhere and store a reference to it.",
          null);
    }
    int half = StorableText.indexOfHalf(json);
    if (half >= 0) {
      throw new CodecException(
          "A value of "
              + value.getClass().getName()
              + " has half of a surrogate pair at character "
              + half
              + " of its JSON, which no database keeps. Cut texts between whole characters, as"
              + " codePoints() tells them.",
          null);
    }
    return json;
  }

  private String write(Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (JacksonException e) {
      throw new CodecException(
          "A value of "
              + value.getClass().getName()
              + " cannot be written as JSON of at most "
              + jsonLimits.maxDepth()
              + " levels: "
              + e.getOriginalMessage(),
          e);
    }
  }

  /**
   * Returns the size in UTF-8. Every char is at most three bytes, so short texts need no counting.
   */
  private int sizeOf(String json) {
    return json.length() <= jsonLimits.maxBytes() / 3
        ? json.length()
        : json.getBytes(StandardCharsets.UTF_8).length;
  }

  @Override
  public <T> T decode(String json, Class<T> type) {
    try {
      return mapper.readValue(json, type);
    } catch (JacksonException e) {
      throw new CodecException(
          "JSON cannot be read as " + type.getName() + ": " + e.getOriginalMessage(), e);
    }
  }
}
