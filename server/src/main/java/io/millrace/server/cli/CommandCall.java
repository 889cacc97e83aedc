package io.millrace.server.cli;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One call of a command.
 *
 * @param given the values of the arguments that have one, by their names
 */
record CommandCall(ClientCommand command, ApiClient api, CommandOutput output, ObjectNode given) {

  boolean has(String argument) {
    return given.has(argument);
  }

  /** Returns the value of an argument; an empty text if it has none. */
  String text(String argument) {
    return given.path(argument).asString("");
  }

  long number(String argument) {
    return given.path(argument).asLong(0);
  }

  /** Returns the fields of the request that have been given. */
  ObjectNode fields() {
    return fields(command.arguments());
  }

  /** Returns the fields of the request that these arguments give. */
  ObjectNode fields(List<CommandArgument> arguments) {
    ObjectNode fields = ApiClient.JSON.createObjectNode();
    for (CommandArgument argument : arguments) {
      JsonNode value = given.get(argument.name());
      if (value != null && !argument.field().isEmpty()) {
        fields.set(argument.field(), value);
      }
    }
    return fields;
  }

  JsonNode get(String path) {
    return api.send("GET", path(path), null, Map.of());
  }

  /**
   * @param query further parameters of the request
   */
  JsonNode get(String path, ObjectNode query) {
    return api.send("GET", withQuery(path(path), query), null, Map.of());
  }

  JsonNode post(String path, JsonNode body) {
    return api.send("POST", path(path), body, Map.of());
  }

  JsonNode put(String path, JsonNode body) {
    return api.send("PUT", path(path), body, Map.of());
  }

  /** Returns a path with the arguments that it names. */
  String path(String template) {
    return new TemplateValues(ApiClient.JSON.missingNode(), given, ApiClient::encoded)
        .text(template);
  }

  /** Returns a path with a query; a list is a parameter for each of its elements. */
  static String withQuery(String path, ObjectNode query) {
    StringBuilder all = new StringBuilder(path);
    query
        .properties()
        .forEach(field -> {
          JsonNode value = field.getValue();
          (value.isArray() ? value.values() : List.of(value))
              .forEach(one ->
                  all.append(all.indexOf("?") < 0 ? '?' : '&')
                      .append(field.getKey())
                      .append('=')
                      .append(ApiClient.encoded(one.asString())));
        });
    return all.toString();
  }

  /** Prints an answer, as JSON or by these parts, and returns the exit code of success. */
  int show(JsonNode answer, AnswerPart... parts) {
    if (output.json()) {
      output.json(answer);
    } else {
      TemplateValues values = new TemplateValues(answer, given);
      List.of(parts).forEach(part -> part.print(output, values));
    }
    return ExitCodes.OK;
  }

  /** Prints a sentence about an answer, or the answer as JSON if there is any. */
  int say(String sentence, JsonNode answer) {
    String text = new TemplateValues(answer, given).text(sentence);
    if (output.json()) {
      output.json(
          answer.isMissingNode() ? ApiClient.JSON.createObjectNode().put("message", text) : answer);
    } else {
      output.line(text);
    }
    return ExitCodes.OK;
  }
}
