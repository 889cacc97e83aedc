package io.millrace.server;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The JSON output of the commands. */
public final class JsonOutput {

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private JsonOutput() {}

  public static String of(Object value) {
    return MAPPER.writeValueAsString(value) + System.lineSeparator();
  }
}
