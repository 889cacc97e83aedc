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

/** The members of a JSON object from a client. Every method rejects a value that does not fit. */
public final class JsonFields {

  private final String prefix;
  private final ObjectNode object;

  private JsonFields(String prefix, ObjectNode object) {
    this.prefix = prefix;
    this.object = object;
  }

  /**
   * Returns the members of {@code node}.
   *
   * @param prefix prefix of the names in messages
   * @param known the allowed names
   */
  public static JsonFields of(String prefix, JsonNode node, Set<String> known) {
    if (!(node instanceof ObjectNode object)) {
      throw ProblemException.invalid(prefix.isEmpty() ? "body" : prefix, "must be a JSON object.");
    }
    JsonFields fields = new JsonFields(prefix.isEmpty() ? "" : prefix + ".", object);
    for (String name : object.propertyNames()) {
      if (!known.contains(name)) {
        throw ProblemException.invalid(
            fields.prefix + shown(name),
            "is unknown here; expected some of " + known.stream().sorted().toList() + ".");
      }
    }
    return fields;
  }

  private static String shown(String name) {
    return name.length() > 100 ? name.substring(0, 100).strip() + "…" : name;
  }

  /** True if the member exists and is not null. */
  public boolean has(String name) {
    return node(name) != null;
  }

  /** Returns any JSON; null if it is missing or null. Rejects masks of secret values. */
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

  /** Returns a required text. */
  public String text(String name, int min, int max) {
    String text = optionalText(name, max);
    if (text == null) {
      throw missing(name);
    }
    return InputText.checked(prefix + name, text, min, max);
  }

  /** Returns a text; null if there is none. */
  public @Nullable String optionalText(String name, int max) {
    JsonNode node = node(name);
    return node == null ? null : textOf(name, node, max);
  }

  private String textOf(String name, JsonNode node, int max) {
    if (!node.isString()) {
      throw ProblemException.invalid(prefix + name, "must be a text.");
    }
    return InputText.checked(prefix + name, node.stringValue(), 0, max);
  }

  /** Returns one of several words; null if there is none. */
  public <E> @Nullable E optionalChoice(String name, Map<String, E> choices) {
    JsonNode node = node(name);
    return node == null ? null : choice(name, node, choices);
  }

  /** Returns one of several words. */
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

  /** Returns a subset of several words; empty if there are none. */
  public <E> List<E> choices(String name, Map<String, E> choices) {
    List<E> chosen = new ArrayList<>();
    items(name, Integer.MAX_VALUE).forEach(item -> chosen.add(choice(name, item, choices)));
    return chosen.stream().distinct().toList();
  }

  /** Returns texts; empty if there are none. */
  public List<String> texts(String name, int most, int max) {
    List<String> texts = new ArrayList<>();
    items(name, most).forEach(item -> texts.add(textOf(name, item, max)));
    return texts.stream().distinct().toList();
  }

  /** Returns whole numbers; empty if there are none. */
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
      throw ProblemException.invalid(prefix + name, "must be a JSON array.");
    }
    if (node.size() > most) {
      throw ProblemException.invalid(
          prefix + name, "has " + node.size() + " items; expected at most " + most + ".");
    }
    return node;
  }

  /** Returns a whole number; null if there is none. */
  public @Nullable Long optionalNumber(String name, long min, long max) {
    JsonNode node = node(name);
    return node == null ? null : numberOf(name, node, min, max);
  }

  private long numberOf(String name, JsonNode node, long min, long max) {
    if (!node.isIntegralNumber()) {
      throw ProblemException.invalid(prefix + name, "must be a whole number.");
    }
    if (!node.canConvertToLong()) {
      throw ProblemException.invalid(prefix + name, "is too large.");
    }
    return NumberParser.within(prefix + name, node.longValue(), min, max);
  }

  /** Returns a flag; false if it is missing. */
  public boolean flag(String name) {
    return flag(name, false);
  }

  /** Returns a flag; {@code fallback} if it is missing. */
  public boolean flag(String name, boolean fallback) {
    JsonNode node = node(name);
    if (node != null && !node.isBoolean()) {
      throw ProblemException.invalid(prefix + name, "is neither true nor false; expected one.");
    }
    return node == null ? fallback : node.booleanValue();
  }

  /** Returns a time; null if there is none. */
  public @Nullable Instant optionalTime(String name) {
    JsonNode node = node(name);
    return node == null ? null : Param.timeOf(prefix + name, textOf(name, node, 100));
  }

  /** Returns a required time. */
  public Instant time(String name) {
    Instant time = optionalTime(name);
    if (time == null) {
      throw missing(name);
    }
    return time;
  }

  /** Returns the objects of an array; empty if there are none. */
  public List<JsonFields> objects(String name, int most, Set<String> known) {
    List<JsonFields> objects = new ArrayList<>();
    for (JsonNode item : items(name, most)) {
      objects.add(of(prefix + name + "[" + objects.size() + "]", item, known));
    }
    return objects;
  }

  /** Returns the members of a nested object; null if there is none. */
  public @Nullable JsonFields optionalObject(String name, Set<String> known) {
    JsonNode node = node(name);
    return node == null ? null : of(prefix + name, node, known);
  }

  /** Returns the members of a required nested object. */
  public JsonFields object(String name, Set<String> known) {
    JsonFields fields = optionalObject(name, known);
    if (fields == null) {
      throw missing(name);
    }
    return fields;
  }

  /** Returns any JSON values by name, including nulls; rejects masks of secret values. */
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
      throw ProblemException.invalid(prefix + name, "must be a JSON object.");
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
   * Returns values by name, as plain texts, numbers, booleans, lists and maps; empty if there are
   * none. A value must not be null, but may contain nulls. It may contain masks, which the caller
   * replaces by the stored values.
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
