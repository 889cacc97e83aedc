package io.millrace.server.api;

import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A validator for the part of JSON Schema that the contract uses. A member that the contract does
 * not name is a fault too, so that the contract stays complete.
 */
final class JsonSchemaValidator {

  private final OpenApiDocument contract;
  private final List<String> faults = new ArrayList<>();

  private JsonSchemaValidator(OpenApiDocument contract) {
    this.contract = contract;
  }

  static List<String> faults(OpenApiDocument contract, Map<String, Object> schema, JsonNode value) {
    JsonSchemaValidator check = new JsonSchemaValidator(contract);
    check.check("$", schema, value);
    return check.faults;
  }

  private void check(String at, Map<String, Object> given, JsonNode value) {
    Map<String, Object> schema = contract.resolve(given);
    List<Object> choices = OpenApiDocument.list(schema, "oneOf");
    if (!choices.isEmpty()) {
      boolean fits =
          choices.stream()
              .anyMatch(choice -> faults(contract, OpenApiDocument.map(choice), value).isEmpty());
      fault(fits, at, "fits none of the choices: " + value);
      return;
    }
    Set<String> types = types(schema);
    if (!types.isEmpty() && types.stream().noneMatch(type -> isOf(type, value))) {
      faults.add(at + " is " + value + ", not " + types);
      return;
    }
    List<Object> words = OpenApiDocument.list(schema, "enum");
    fault(
        words.isEmpty() || words.contains(value.isNull() ? null : value.asString()),
        at,
        "is " + value + ", not one of " + words);
    if ("date-time".equals(schema.get("format")) && value.isString()) {
      fault(isTime(value.stringValue()), at, "is no time: " + value);
    }
    if (value.isArray() && schema.containsKey("items")) {
      for (int i = 0; i < value.size(); i++) {
        check(at + "[" + i + "]", OpenApiDocument.map(schema, "items"), value.get(i));
      }
    }
    if (value.isObject()) {
      object(at, schema, value);
    }
  }

  private void object(String at, Map<String, Object> schema, JsonNode value) {
    Map<String, Object> properties = new LinkedHashMap<>();
    Set<Object> required = new LinkedHashSet<>();
    gather(schema, properties, required);
    required.forEach(name -> fault(value.has((String) name), at, "lacks " + name));
    Object rest = schema.get("additionalProperties");
    for (String name : value.propertyNames()) {
      Object property = properties.get(name);
      if (property != null) {
        check(at + "." + name, OpenApiDocument.map(property), value.get(name));
      } else if (rest instanceof Map) {
        check(at + "." + name, OpenApiDocument.map(rest), value.get(name));
      } else {
        fault(properties.isEmpty(), at, "has the unknown member " + name);
      }
    }
  }

  private void gather(
      Map<String, Object> schema, Map<String, Object> properties, Set<Object> required) {
    Map<String, Object> resolved = contract.resolve(schema);
    OpenApiDocument.list(resolved, "allOf")
        .forEach(part -> gather(OpenApiDocument.map(part), properties, required));
    properties.putAll(OpenApiDocument.map(resolved, "properties"));
    required.addAll(OpenApiDocument.list(resolved, "required"));
  }

  private static Set<String> types(Map<String, Object> schema) {
    Object type = schema.get("type");
    Set<String> types = new LinkedHashSet<>();
    if (type instanceof List<?> several) {
      several.forEach(t -> types.add((String) t));
    } else if (type != null) {
      types.add((String) type);
    }
    return types;
  }

  private static boolean isOf(String type, JsonNode value) {
    return switch (type) {
      case "string" -> value.isString();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      case "array" -> value.isArray();
      case "object" -> value.isObject();
      case "null" -> value.isNull();
      default -> throw new AssertionError("The contract has an unknown type: " + type);
    };
  }

  private static boolean isTime(String text) {
    try {
      return OffsetDateTime.parse(text) != null;
    } catch (DateTimeParseException e) {
      return false;
    }
  }

  private void fault(boolean fits, String at, String message) {
    if (!fits) {
      faults.add(at + " " + message);
    }
  }
}
