package io.millrace.server.security;

import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The fields of a body. Only known fields of the right type and length are accepted. */
record BodyFields(JsonNode object) {

  static BodyFields of(@Nullable JsonNode body, Set<String> known) {
    if (body == null || !body.isObject()) {
      throw RejectedRequestException.invalid(
          "The body must be a JSON object with " + sorted(known) + ".");
    }
    for (String name : body.propertyNames()) {
      if (!known.contains(name)) {
        throw RejectedRequestException.invalid(
            "The body has a field that is not known; expected " + sorted(known) + ".");
      }
    }
    return new BodyFields(body);
  }

  private static Set<String> sorted(Set<String> names) {
    return new TreeSet<>(names);
  }

  String text(String name, int shortest, int longest) {
    JsonNode value = object.get(name);
    if (value == null || !value.isString()) {
      throw RejectedRequestException.invalid(name + " is missing or no text.");
    }
    String text = value.stringValue();
    if (text.length() < shortest || text.length() > longest) {
      throw RejectedRequestException.invalid(
          name
              + " has "
              + text.length()
              + " characters, expected "
              + shortest
              + " to "
              + longest
              + ".");
    }
    return text;
  }

  Role role() {
    return Role.of(text("role", 0, 20))
        .orElseThrow(() ->
            RejectedRequestException.invalid(
                "role is unknown, expected viewer, operator or admin."));
  }

  @Nullable Integer numberOrNull(String name, int least, int most) {
    JsonNode value = object.get(name);
    if (value == null || value.isNull()) {
      return null;
    }
    if (!value.isIntegralNumber() || !value.canConvertToInt()) {
      throw RejectedRequestException.invalid(name + " is no whole number.");
    }
    int number = value.intValue();
    if (number < least || number > most) {
      throw RejectedRequestException.invalid(
          name + " is out of range, expected " + least + " to " + most + ".");
    }
    return number;
  }
}
