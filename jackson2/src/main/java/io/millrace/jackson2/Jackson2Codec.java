package io.millrace.jackson2;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.codec.Codec;
import io.millrace.codec.CodecException;
import io.millrace.codec.JsonLimits;
import io.millrace.instance.InvalidRequestException;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * A codec on Jackson 2. Its default rules are those of Jackson 3, so that an application can change
 * from one to the other: times are ISO-8601 text, and map entries are written in key order.
 * Thread-safe.
 */
public final class Jackson2Codec implements Codec {

  private final ObjectMapper mapper;
  private final JsonLimits jsonLimits;

  /** Largest depth of what is written; 0 if the mapper sees to it. */
  private final int maxWrittenDepth;

  /**
   * Creates a codec with the default rules.
   *
   * @throws CodecException if a module of Jackson is missing
   */
  public Jackson2Codec() {
    this(Jackson2Mappers.standard(), JsonLimits.DEFAULT, JsonLimits.DEFAULT.maxDepth());
  }

  /**
   * Creates a codec with the default rules.
   *
   * @throws CodecException if a module of Jackson is missing
   */
  public Jackson2Codec(JsonLimits jsonLimits) {
    this(Jackson2Mappers.of(jsonLimits), jsonLimits, jsonLimits.maxDepth());
  }

  /**
   * Creates a codec with a mapper of the application, whose rules hold for values and whose limit
   * holds for their depth. To change the rules later, the mapper must still read what is stored.
   */
  public Jackson2Codec(ObjectMapper mapper) {
    this(InvalidRequestException.requirePresent(mapper, "The mapper"), JsonLimits.DEFAULT, 0);
  }

  private Jackson2Codec(ObjectMapper mapper, JsonLimits jsonLimits, int maxWrittenDepth) {
    this.mapper = mapper;
    this.jsonLimits = jsonLimits;
    this.maxWrittenDepth = maxWrittenDepth;
  }

  @Override
  public String encode(Object value) {
    String json = write(value);
    if (maxWrittenDepth > 0 && isDeeper(json, maxWrittenDepth)) {
      throw unwritable(value, "it has more levels", null);
    }
    return jsonLimits.checked(value, json);
  }

  private String write(Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw unwritable(value, e.getOriginalMessage(), e);
    }
  }

  private CodecException unwritable(Object value, String why, @Nullable Throwable cause) {
    return new CodecException(
        "A value of "
            + value.getClass().getName()
            + " cannot be written as JSON"
            + (maxWrittenDepth > 0 ? " of at most " + maxWrittenDepth + " levels: " : ": ")
            + why,
        cause);
  }

  /** True if the JSON has more levels. Jackson 2.15 has no limit of its own. */
  private static boolean isDeeper(String json, int levels) {
    int depth = 0;
    boolean inText = false;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (inText) {
        if (c == '\\') {
          i++;
        } else if (c == '"') {
          inText = false;
        }
      } else if (c == '"') {
        inText = true;
      } else if (c == '{' || c == '[') {
        if (++depth > levels) {
          return true;
        }
      } else if (c == '}' || c == ']') {
        depth--;
      }
    }
    return false;
  }

  @Override
  public Object decode(String json, Type type) {
    try {
      return mapper.readValue(json, mapper.constructType(type));
    } catch (JsonProcessingException e) {
      throw new CodecException(
          "JSON cannot be read as " + type.getTypeName() + ": " + e.getOriginalMessage(), e);
    }
  }
}
