package io.millrace.server.api;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The structure of an input without its values, which may be confidential. */
final class InputExample {

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private InputExample() {}

  /** Returns JSON text with the same names and types of values, all of them empty. */
  static String blank(String json) {
    return MAPPER.writeValueAsString(blank(MAPPER.readTree(json)));
  }

  private static JsonNode blank(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> {
        ObjectNode object = NODES.objectNode();
        value.properties().forEach(field -> object.set(field.getKey(), blank(field.getValue())));
        yield object;
      }
      case ARRAY -> {
        ArrayNode array = NODES.arrayNode();
        if (!value.isEmpty()) {
          array.add(blank(value.get(0)));
        }
        yield array;
      }
      case STRING, BINARY -> NODES.stringNode("");
      case NUMBER -> NODES.numberNode(0);
      case BOOLEAN -> NODES.booleanNode(false);
      case NULL, MISSING, POJO -> NODES.nullNode();
    };
  }
}
