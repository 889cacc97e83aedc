package io.millrace.server;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What the commands print as JSON. */
final class JsonOutput {

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private JsonOutput() {}

  static String of(Object value) {
    return MAPPER.writeValueAsString(value) + System.lineSeparator();
  }
}
