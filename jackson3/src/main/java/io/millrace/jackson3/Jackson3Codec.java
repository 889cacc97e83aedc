package io.millrace.jackson3;

import io.millrace.codec.Codec;
import io.millrace.codec.CodecException;
import io.millrace.codec.JsonLimits;
import io.millrace.instance.InvalidRequestException;
import java.lang.reflect.Type;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A codec on Jackson 3. By default, times are ISO-8601 text, and map entries are written in key
 * order. Thread-safe.
 */
public final class Jackson3Codec implements Codec {

  /**
   * Shared, since a mapper learns each class once, which costs more than all else about a small
   * engine.
   */
  private static final JsonMapper DEFAULT = mapper(JsonLimits.DEFAULT);

  private final JsonMapper mapper;
  private final JsonLimits jsonLimits;

  public Jackson3Codec() {
    this(DEFAULT, JsonLimits.DEFAULT);
  }

  public Jackson3Codec(JsonLimits jsonLimits) {
    this(mapper(jsonLimits), jsonLimits);
  }

  /**
   * Creates a codec with a mapper of the application, whose rules hold for values and whose limit
   * holds for their depth. To change the rules later, the mapper must still read what is stored.
   */
  public Jackson3Codec(JsonMapper mapper) {
    this(InvalidRequestException.requirePresent(mapper, "The mapper"), JsonLimits.DEFAULT);
  }

  private Jackson3Codec(JsonMapper mapper, JsonLimits jsonLimits) {
    this.mapper = mapper;
    this.jsonLimits = jsonLimits;
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
    return jsonLimits.checked(value, write(value));
  }

  private String write(Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (JacksonException e) {
      throw new CodecException(
          "A value of "
              + value.getClass().getName()
              + " cannot be written as JSON of at most "
              + mapper.tokenStreamFactory().streamWriteConstraints().getMaxNestingDepth()
              + " levels: "
              + e.getOriginalMessage(),
          e);
    }
  }

  @Override
  public Object decode(String json, Type type) {
    try {
      return mapper.readValue(json, mapper.constructType(type));
    } catch (JacksonException e) {
      throw new CodecException(
          "JSON cannot be read as " + type.getTypeName() + ": " + e.getOriginalMessage(), e);
    }
  }
}
