package io.millrace.server.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/** JSON given on the command line. */
final class Values {

  private Values() {}

  /** JSON itself, or the content of the file in {@code @FILE}. */
  static JsonNode json(String option, String given) {
    String text = given.startsWith("@") ? read(option, given.substring(1)) : given;
    try {
      return ApiClient.JSON.readTree(text);
    } catch (JacksonException e) {
      throw new CliException(
          ExitCode.USAGE,
          option
              + " is not JSON: "
              + e.getOriginalMessage().replaceAll(" ?\\(.*\\[Source:.*", "")
              + ". A text needs quotes, as in '\"text\"'.");
    }
  }

  /** JSON where it is some, a text otherwise. */
  static JsonNode jsonOrText(String given) {
    try {
      return ApiClient.JSON.readTree(given);
    } catch (JacksonException e) {
      return StringNode.valueOf(given);
    }
  }

  private static String read(String option, String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (NoSuchFileException e) {
      throw new CliException(
          ExitCode.USAGE, option + " names the file '" + file + "', which does not exist.");
    } catch (IOException e) {
      throw new CliException(
          ExitCode.USAGE, option + " names the file '" + file + "', which cannot be read: " + e);
    }
  }
}
