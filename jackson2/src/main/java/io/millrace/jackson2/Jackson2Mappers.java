package io.millrace.jackson2;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.millrace.codec.CodecException;
import io.millrace.codec.JsonLimits;

/** Mappers of Jackson 2 with the default rules of Jackson 3. */
final class Jackson2Mappers {

  private Jackson2Mappers() {}

  /**
   * Creates mappers. A class of its own, since the JVM loads the modules of Jackson with it. Its
   * mapper is shared: it learns each class once, which costs more than all else about a small
   * engine.
   */
  private static final class Creation {
    static final ObjectMapper STANDARD = mapper(JsonLimits.DEFAULT);

    static ObjectMapper mapper(JsonLimits jsonLimits) {
      StreamReadConstraints.Builder constraints =
          StreamReadConstraints.builder()
              .maxNestingDepth(jsonLimits.maxDepth())
              .maxNumberLength(jsonLimits.maxBytes())
              .maxStringLength(jsonLimits.maxBytes());
      maxNameLength(constraints, jsonLimits.maxBytes());
      return JsonMapper.builder(
              JsonFactory.builder().streamReadConstraints(constraints.build()).build())
          .addModule(new JavaTimeModule())
          .addModule(new Jdk8Module())
          .addModule(Jackson3Rules.types())
          .annotationIntrospector(new Jackson3Rules.RecordOrder())
          .defaultDateFormat(new Jackson3Rules.DateFormat())
          .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY, MapperFeature.USE_STD_BEAN_NAMING)
          .disable(
              MapperFeature.ALLOW_FINAL_FIELDS_AS_MUTATORS,
              MapperFeature.USE_GETTERS_AS_SETTERS,
              MapperFeature.DEFAULT_VIEW_INCLUSION)
          .enable(
              SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS,
              SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
          .disable(
              SerializationFeature.FAIL_ON_EMPTY_BEANS,
              SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
              SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .enable(
              DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
              DeserializationFeature.READ_ENUMS_USING_TO_STRING)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();
    }

    /** Sets the limit for names, which Jackson has since 2.16. */
    private static void maxNameLength(StreamReadConstraints.Builder constraints, int max) {
      try {
        constraints.getClass().getMethod("maxNameLength", int.class).invoke(constraints, max);
      } catch (NoSuchMethodException e) {
        // no limit either
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("Jackson refuses the limit for names", e);
      }
    }
  }

  /** Returns the mapper with {@link JsonLimits#DEFAULT}. */
  static ObjectMapper standard() {
    requireModules();
    return Creation.STANDARD;
  }

  static ObjectMapper of(JsonLimits jsonLimits) {
    requireModules();
    return Creation.mapper(jsonLimits);
  }

  private static void requireModules() {
    requireModule("com.fasterxml.jackson.datatype.jsr310.JavaTimeModule", "jsr310", "times");
    requireModule("com.fasterxml.jackson.datatype.jdk8.Jdk8Module", "jdk8", "Optional");
  }

  private static void requireModule(String type, String name, String what) {
    try {
      Class.forName(type, false, Jackson2Mappers.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      throw new CodecException(
          "jackson-datatype-"
              + name
              + ", with which Jackson 2 writes "
              + what
              + ", is missing on the class path. Add com.fasterxml.jackson.datatype:jackson-datatype-"
              + name
              + " in the version of jackson-databind, or pass a mapper of your own to Jackson2Codec.",
          e);
    }
  }
}
