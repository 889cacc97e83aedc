package io.millrace.server.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A query parameter or header of a route, and the conversion of its text to a value.
 *
 * @param repeated true if it may be given several times
 * @param fallback the value if it is not given; null for none
 */
public record Param<T>(
    String name,
    Location place,
    boolean repeated,
    @Nullable T fallback,
    Function<List<String>, T> parser) {

  /** The place of a parameter in a request. */
  public enum Location {
    QUERY,
    HEADER
  }

  /** Returns a parameter for a text of at most {@code max} characters. */
  public static Param<String> text(String name, int max) {
    return single(name, null, text -> InputText.checked(name, text, 0, max));
  }

  /** Returns a header of at most {@code max} characters. */
  public static Param<String> header(String name, int max) {
    return new Param<>(
        name,
        Location.HEADER,
        false,
        null,
        texts -> InputText.checked(name, texts.getFirst(), 0, max));
  }

  /** Returns a parameter for the id of an instance or executor. */
  public static Param<Long> id(String name) {
    return single(name, null, text -> NumberParser.parse(name, text, 1, Long.MAX_VALUE));
  }

  /** Returns a parameter for a whole number with a fallback. */
  public static Param<Integer> number(String name, int min, int max, int fallback) {
    return single(name, fallback, text -> (int) NumberParser.parse(name, text, min, max));
  }

  /** Returns a parameter for an optional whole number. */
  public static Param<Integer> number(String name, int min, int max) {
    return single(name, null, text -> (int) NumberParser.parse(name, text, min, max));
  }

  /** Returns a parameter for a whole number from 0, without an upper limit. */
  public static Param<Long> position(String name) {
    return single(name, 0L, text -> NumberParser.parse(name, text, 0, Long.MAX_VALUE));
  }

  /** Returns a parameter for an ISO 8601 time with its offset. */
  public static Param<Instant> time(String name) {
    return single(name, null, text -> timeOf(name, text));
  }

  /** Returns a parameter for one of several words. */
  public static <E> Param<E> choice(String name, Map<String, E> choices, @Nullable E fallback) {
    return single(name, fallback, text -> chosen(name, text, choices));
  }

  /** Returns a parameter for a subset of several words. */
  public static <E> Param<List<E>> choices(String name, Map<String, E> choices) {
    return new Param<>(
        name,
        Location.QUERY,
        true,
        List.of(),
        texts -> texts.stream().map(text -> chosen(name, text, choices)).distinct().toList());
  }

  /** Returns a parameter for at most {@code most} texts of at most {@code max} characters each. */
  public static Param<List<String>> texts(String name, int most, int max) {
    return new Param<>(
        name,
        Location.QUERY,
        true,
        List.of(),
        texts -> {
          if (texts.size() > most) {
            throw ProblemException.invalid(
                name, "is given " + texts.size() + " times; expected at most " + most + " times.");
          }
          List<String> checked = new ArrayList<>();
          texts.forEach(text -> checked.add(InputText.checked(name, text, 0, max)));
          return checked.stream().distinct().toList();
        });
  }

  private static <T> Param<T> single(
      String name, @Nullable T fallback, Function<String, T> parser) {
    return new Param<>(
        name, Location.QUERY, false, fallback, texts -> parser.apply(texts.getFirst()));
  }

  private static <E> E chosen(String name, String text, Map<String, E> choices) {
    E found = choices.get(text);
    if (found == null) {
      throw ProblemException.invalid(
          name, "is none of the known values; expected one of " + choices.keySet() + ".");
    }
    return found;
  }

  static Instant timeOf(String name, String text) {
    try {
      Instant time = OffsetDateTime.parse(text).toInstant();
      if (time.isBefore(Times.FIRST) || time.isAfter(Times.LAST)) {
        throw ProblemException.invalid(name, "is outside the years 1970 to 9999.");
      }
      return time;
    } catch (DateTimeException e) {
      throw ProblemException.invalid(
          name, "is no time; expected ISO 8601 with an offset, such as 2026-01-31T08:00:00Z.");
    }
  }

  /** The range of times that every database can store. */
  private static final class Times {
    static final Instant FIRST = Instant.EPOCH;
    static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");
  }

  /** Returns the choices of an enum by their names in the contract. */
  public static <E extends Enum<E>> Map<String, E> codes(E[] values, Function<E, String> code) {
    Map<String, E> codes = new LinkedHashMap<>();
    for (E value : values) {
      codes.put(code.apply(value), value);
    }
    return codes;
  }

  /** Returns the value of the sent texts; null if none was sent and there is no fallback. */
  @Nullable T read(List<String> texts) {
    if (texts.isEmpty()) {
      return fallback;
    }
    if (texts.size() > 1 && !repeated) {
      throw ProblemException.invalid(name, "is given " + texts.size() + " times; expected once.");
    }
    return parser.apply(texts);
  }
}
