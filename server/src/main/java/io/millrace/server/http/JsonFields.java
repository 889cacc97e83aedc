package io.millrace.server.http;

import io.millrace.server.security.SealedValues;
import io.millrace.server.security.SecretNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The members of a JSON object from outside. Every method refuses what does not fit. */
public final class JsonFields {

  private final String prefix;
  private final ObjectNode object;

  private JsonFields(String prefix, ObjectNode object) {
    this.prefix = prefix;
    this.object = object;
  }

  /**
   * The members of {@code node}.
   *
   * @param prefix begins the names in messages
   * @param known the names that it may have
   */
  public static JsonFields of(String prefix, JsonNode node, Set<String> known) {
    if (!(node instanceof ObjectNode object)) {
      throw ProblemException.invalid(
          prefix.isEmpty() ? "body" : prefix, "is no JSON object; expected one.");
    }
    JsonFields jsonFields = new JsonFields(prefix.isEmpty() ? "" : prefix + ".", object);
    for (String name : object.propertyNames()) {
      if (!known.contains(name)) {
        throw ProblemException.invalid(
            jsonFields.prefix + shown(name),
            "is unknown here; expected some of " + known.stream().sorted().toList() + ".");
      }
    }
    return jsonFields;
  }

  private static String shown(String name) {
    return name.length() > 100 ? name.substring(0, 100).strip() + "…" : name;
  }

  /** True when the member is there and not null. */
  public boolean has(String name) {
    return node(name) != null;
  }

  /** Returns any JSON without masks of secret values; null if it is missing or null. */
  public @Nullable JsonNode json(String name) {
    JsonNode node = node(name);
    if (node != null && SecretNames.holdsMask(node)) {
      throw ProblemException.invalid(
          prefix + name,
          "holds "
              + SealedValues.MASK
              + ", which answers show in place of a secret value; expected the value itself.");
    }
    return node;
  }

  private @Nullable JsonNode node(String name) {
    JsonNode node = object.get(name);
    return node == null || node.isNull() ? null : node;
  }

  /** A text that must be there. */
  public String text(String name, int min, int max) {
    String text = optionalText(name, max);
    if (text == null) {
      throw missing(name);
    }
    return InputText.checked(prefix + name, text, min, max);
  }

  /** A text; null when there is none. */
  public @Nullable String optionalText(String name, int max) {
    JsonNode node = node(name);
    return node == null ? null : textOf(name, node, max);
  }

  private String textOf(String name, JsonNode node, int max) {
    if (!node.isString()) {
      throw ProblemException.invalid(prefix + name, "is no text; expected one.");
    }
    return InputText.checked(prefix + name, node.stringValue(), 0, max);
  }

  /** One of some words; null when there is none. */
  public <E> @Nullable E optionalChoice(String name, Map<String, E> choices) {
    JsonNode node = node(name);
    return node == null ? null : choice(name, node, choices);
  }

  /** One of some words. */
  public <E> E choice(String name, Map<String, E> choices) {
    E chosen = optionalChoice(name, choices);
    if (chosen == null) {
      throw missing(name);
    }
    return chosen;
  }

  private <E> E choice(String name, JsonNode node, Map<String, E> choices) {
    E chosen = node.isString() ? choices.get(node.stringValue()) : null;
    if (chosen == null) {
      throw ProblemException.invalid(
          prefix + name, "is none of the known values; expected one of " + choices.keySet() + ".");
    }
    return chosen;
  }

  /** Some of some words; empty when there are none. */
  public <E> List<E> choices(String name, Map<String, E> choices) {
    List<E> chosen = new ArrayList<>();
    items(name, Integer.MAX_VALUE).forEach(item -> chosen.add(choice(name, item, choices)));
    return chosen.stream().distinct().toList();
  }

  /** Texts; empty when there are none. */
  public List<String> texts(String name, int most, int max) {
    List<String> texts = new ArrayList<>();
    items(name, most).forEach(item -> texts.add(textOf(name, item, max)));
    return texts.stream().distinct().toList();
  }

  /** Whole numbers; empty when there are none. */
  public List<Long> numbers(String name, int most) {
    List<Long> numbers = new ArrayList<>();
    items(name, most).forEach(item -> numbers.add(numberOf(name, item, 1, Long.MAX_VALUE)));
    return numbers.stream().distinct().toList();
  }

  private Iterable<JsonNode> items(String name, int most) {
    JsonNode node = node(name);
    if (node == null) {
      return List.of();
    }
    if (!node.isArray()) {
      throw ProblemException.invalid(prefix + name, "is no JSON array; expected one.");
    }
    if (node.size() > most) {
      throw ProblemException.invalid(
          prefix + name, "has " + node.size() + " items; expected at most " + most + ".");
    }
    return node;
  }

  /** A whole number; null when there is none. */
  public @Nullable Long optionalNumber(String name, long min, long max) {
    JsonNode node = node(name);
    return node == null ? null : numberOf(name, node, min, max);
  }

  private long numberOf(String name, JsonNode node, long min, long max) {
    if (!node.isIntegralNumber()) {
      throw ProblemException.invalid(prefix + name, "is no whole number; expected one.");
    }
    if (!node.canConvertToLong()) {
      throw ProblemException.invalid(prefix + name, "is too large.");
    }
    return NumberParser.within(prefix + name, node.longValue(), min, max);
  }

  /** A flag; false when it is missing. */
  public boolean flag(String name) {
    return flag(name, false);
  }

  /** A flag; {@code fallback} when it is missing. */
  public boolean flag(String name, boolean fallback) {
    JsonNode node = node(name);
    if (node != null && !node.isBoolean()) {
      throw ProblemException.invalid(prefix + name, "is neither true nor false; expected one.");
    }
    return node == null ? fallback : node.booleanValue();
  }

  /** A time; null when there is none. */
  public @Nullable Instant optionalTime(String name) {
    JsonNode node = node(name);
    return node == null ? null : Param.timeOf(prefix + name, textOf(name, node, 100));
  }

  /** A time that must be there. */
  public Instant time(String name) {
    Instant time = optionalTime(name);
    if (time == null) {
      throw missing(name);
    }
    return time;
  }

  /** The objects of an array; empty when there are none. */
  public List<JsonFields> objects(String name, int most, Set<String> known) {
    List<JsonFields> objects = new ArrayList<>();
    for (JsonNode item : items(name, most)) {
      objects.add(of(prefix + name + "[" + objects.size() + "]", item, known));
    }
    return objects;
  }

  /** The members of an object inside; null when there is none. */
  public @Nullable JsonFields optionalObject(String name, Set<String> known) {
    JsonNode node = node(name);
    return node == null ? null : of(prefix + name, node, known);
  }

  /** The members of an object inside that must be there. */
  public JsonFields object(String name, Set<String> known) {
    JsonFields jsonFields = optionalObject(name, known);
    if (jsonFields == null) {
      throw missing(name);
    }
    return jsonFields;
  }

  /** Returns any JSON values by name, nulls included and without masks of secret values. */
  public Map<String, JsonNode> members(String name, int most) {
    json(name);
    return parts(name, most);
  }

  private Map<String, JsonNode> parts(String name, int most) {
    JsonNode node = node(name);
    if (node == null) {
      return Map.of();
    }
    if (!node.isObject()) {
      throw ProblemException.invalid(prefix + name, "is no JSON object; expected one.");
    }
    if (node.size() > most) {
      throw ProblemException.invalid(
          prefix + name, "has " + node.size() + " members; expected at most " + most + ".");
    }
    Map<String, JsonNode> members = new LinkedHashMap<>();
    node.propertyStream().forEach(p -> members.put(p.getKey(), p.getValue()));
    return members;
  }

  /**
   * Values by name, as plain texts, numbers, truths, lists and maps; empty when there are none. A
   * value may hold nulls, and be none. Masks may be among them, for callers that put the stored
   * values in their place.
   */
  public Map<String, Object> values(String name, int most) {
    Map<String, Object> values = new LinkedHashMap<>();
    parts(name, most)
        .forEach((member, value) -> {
          Object plain = StrictJson.plain(value);
          if (plain == null) {
            throw ProblemException.invalid(
                prefix + name + "." + shown(member),
                "is null; expected a value, or to be left out.");
          }
          values.put(member, plain);
        });
    return values;
  }

  private ProblemException missing(String name) {
    return ProblemException.invalid(prefix + name, "is missing.");
  }
}
