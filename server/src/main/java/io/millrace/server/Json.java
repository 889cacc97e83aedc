package io.millrace.server;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What the commands print as JSON. */
final class Json {

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Json() {}

  static String of(Object value) {
    return MAPPER.writeValueAsString(value) + System.lineSeparator();
  }
}
