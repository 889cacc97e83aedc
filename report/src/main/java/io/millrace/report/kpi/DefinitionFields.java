package io.millrace.report.kpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Reader of the fields of a JSON object. It can report fields that were never read. */
public final class DefinitionFields {

  private final String what;
  private final JsonNode object;
  private final Set<String> asked = new HashSet<>();

  /**
   * Creates a reader of an object's fields.
   *
   * @param what names the object in messages
   */
  public DefinitionFields(String what, JsonNode object) {
    if (!object.isObject()) {
      throw new ReportDefinitionException(what + " must be a JSON object");
    }
    this.what = what;
    this.object = object;
  }

  public String text(String name) {
    JsonNode value = get(name);
    if (!value.isString() || value.stringValue().isBlank()) {
      throw wrong(name, "text");
    }
    return value.stringValue();
  }

  public String text(String name, String otherwise) {
    JsonNode value = get(name);
    if (value.isMissingNode()) {
      return otherwise;
    }
    if (!value.isString()) {
      throw wrong(name, "text");
    }
    return value.stringValue();
  }

  public boolean flag(String name, boolean otherwise) {
    JsonNode value = get(name);
    if (value.isMissingNode()) {
      return otherwise;
    }
    if (!value.isBoolean()) {
      throw wrong(name, "true or false");
    }
    return value.booleanValue();
  }

  public double number(String name) {
    JsonNode value = get(name);
    if (!value.isNumber()) {
      throw wrong(name, "a number");
    }
    return value.doubleValue();
  }

  public double number(String name, double otherwise) {
    return get(name).isMissingNode() ? otherwise : number(name);
  }

  /**
   * Returns the constant with this name, in any case; {@code otherwise} when the field is missing.
   */
  public <E extends Enum<E>> E choice(String name, Class<E> type, E otherwise) {
    return get(name).isMissingNode() ? otherwise : choice(name, type);
  }

  /** Returns the constant with this name, in any case. */
  public <E extends Enum<E>> E choice(String name, Class<E> type) {
    String text = text(name).toUpperCase(Locale.ROOT).replace('-', '_');
    return Arrays.stream(type.getEnumConstants())
        .filter(c -> c.name().equals(text))
        .findFirst()
        .orElseThrow(() ->
            wrong(
                name,
                "one of "
                    + Arrays.stream(type.getEnumConstants())
                        .map(c -> c.name().toLowerCase(Locale.ROOT))
                        .toList()));
  }

  public List<String> texts(String name) {
    return list(
        name,
        node -> {
          if (!node.isString()) {
            throw wrong(name, "a list of texts");
          }
          return node.stringValue();
        });
  }

  /** Returns a list of objects or values; empty when the field is missing. */
  public <T> List<T> list(String name, Function<JsonNode, T> read) {
    JsonNode value = get(name);
    if (!value.isMissingNode() && !value.isArray()) {
      throw wrong(name, "a list");
    }
    List<T> all = new ArrayList<>();
    value.forEach(node -> all.add(read.apply(node)));
    return all;
  }

  /** Returns the value unchanged; a missing node when there is none. */
  public JsonNode get(String name) {
    asked.add(name);
    JsonNode value = object.path(name);
    return value.isNull() ? object.path("") : value;
  }

  /** Rejects fields that were not read, which are mostly misspelled ones. */
  public void rejectUnknownFields() {
    Set<String> unknown = new TreeSet<>(object.propertyNames());
    unknown.removeAll(asked);
    if (!unknown.isEmpty()) {
      throw new ReportDefinitionException(
          what
              + " has the unknown fields "
              + unknown
              + ", expected some of "
              + new TreeSet<>(asked));
    }
  }

  private ReportDefinitionException wrong(String name, String expected) {
    JsonNode value = object.path(name);
    return new ReportDefinitionException(
        what + ": the field '" + name + "' " + found(value) + ", expected " + expected);
  }

  /**
   * Describes a value for a message. Text is shown; other values are not, because a password may
   * have been written without quotes.
   */
  private static String found(JsonNode value) {
    return switch (value.getNodeType()) {
      case MISSING -> "is missing";
      case NULL -> "is null";
      case STRING -> "is " + value;
      case NUMBER -> "is a number";
      case BOOLEAN -> "is true or false";
      case ARRAY -> "is a list";
      default -> "is an object";
    };
  }
}
