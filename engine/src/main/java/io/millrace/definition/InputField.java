package io.millrace.definition;

import io.millrace.instance.InvalidRequestException;
import java.lang.annotation.Annotation;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A component of the record that a definition declares as its input, for forms that start an
 * instance. Immutable.
 *
 * @param name of the component, and of the property in JSON
 * @param type one of {@code text, integer, number, boolean, choice, date, dateTime, json}; the last
 *     stands for all composite types
 * @param required false for an {@link Optional} and for a component annotated as {@code Nullable}
 * @param choices the constants of an enum; null for other types
 */
public record InputField(
    String name, String type, boolean required, @Nullable List<String> choices) {

  private static final String JSON = "json";

  private static final Map<Class<?>, String> TYPES =
      Map.ofEntries(
          Map.entry(String.class, "text"),
          Map.entry(int.class, "integer"),
          Map.entry(Integer.class, "integer"),
          Map.entry(long.class, "integer"),
          Map.entry(Long.class, "integer"),
          Map.entry(short.class, "integer"),
          Map.entry(Short.class, "integer"),
          Map.entry(byte.class, "integer"),
          Map.entry(Byte.class, "integer"),
          Map.entry(BigInteger.class, "integer"),
          Map.entry(double.class, "number"),
          Map.entry(Double.class, "number"),
          Map.entry(float.class, "number"),
          Map.entry(Float.class, "number"),
          Map.entry(BigDecimal.class, "number"),
          Map.entry(boolean.class, "boolean"),
          Map.entry(Boolean.class, "boolean"),
          Map.entry(LocalDate.class, "date"),
          Map.entry(Instant.class, "dateTime"));

  /** Returns the components of {@code type}, in its order. */
  static List<InputField> of(Class<? extends Record> type) {
    return Arrays.stream(
            InvalidRequestException.requirePresent(type, "The type of the input")
                .getRecordComponents())
        .map(InputField::of)
        .toList();
  }

  private static InputField of(RecordComponent component) {
    Class<?> type = component.getType();
    boolean optional = type == Optional.class || isNullable(component);
    if (type.isEnum()) {
      List<String> names =
          Arrays.stream(type.getEnumConstants())
              .map(constant -> ((Enum<?>) constant).name())
              .toList();
      return new InputField(component.getName(), "choice", !optional, names);
    }
    return new InputField(component.getName(), TYPES.getOrDefault(type, JSON), !optional, null);
  }

  /** Returns true if the component has an annotation named Nullable, of any library. */
  private static boolean isNullable(RecordComponent component) {
    return hasNullable(component.getAnnotations())
        || hasNullable(component.getAnnotatedType().getAnnotations());
  }

  private static boolean hasNullable(Annotation[] annotations) {
    return Arrays.stream(annotations)
        .anyMatch(a -> a.annotationType().getSimpleName().equals("Nullable"));
  }
}
