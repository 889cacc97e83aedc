package io.millrace.server.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** A parser of JSON on the command line. */
final class JsonArguments {

  /**
   * The mapper that rejects duplicate names: a duplicate is a typing error, and one of the values
   * would be lost.
   */
  private static final JsonMapper STRICT =
      ApiClient.mapper(JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION));

  /** The character with which some editors begin a file in UTF-8. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private JsonArguments() {}

  /** Parses JSON, or the content of the file in {@code @FILE}. */
  static JsonNode json(String option, String given) {
    return parsed(option, given.startsWith("@") ? read(option, given.substring(1)) : given);
  }

  /** Returns a text itself, or the content of the file in {@code @FILE}. */
  static String text(String option, String given) {
    return given.startsWith("@") ? read(option, given.substring(1)) : given;
  }

  /** Parses the JSON in a file; {@code -} is the standard input. */
  static JsonNode file(String file) {
    return parsed("FILE '" + file + "'", file.equals("-") ? input() : read("FILE", file));
  }

  private static JsonNode parsed(String option, String text) {
    try {
      JsonNode json = STRICT.readTree(text);
      if (json.isMissingNode()) {
        throw new CliException(ExitCodes.USAGE, option + " is empty; expected JSON.");
      }
      return json;
    } catch (JacksonException e) {
      throw new CliException(
          ExitCodes.USAGE,
          option
              + " is not JSON: "
              + e.getOriginalMessage().replaceAll(" ?\\(.*\\[Source:.*", "")
              + ". A text needs quotes, as in '\"text\"'.");
    }
  }

  /**
   * Parses the JSON object in a file; {@code -} is the standard input.
   *
   * @param name name of a required text field, which names the object
   */
  static ObjectNode object(String file, String name) {
    JsonNode json = file(file);
    if (json instanceof ObjectNode object && object.path(name).isString()) {
      return object;
    }
    throw new CliException(
        ExitCodes.USAGE,
        "FILE '" + file + "' must be a JSON object with a text '" + name + "'; see docs/cli.md.");
  }

  private static String input() {
    try {
      return withoutMark(
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(System.in.readAllBytes()))
              .toString());
    } catch (CharacterCodingException e) {
      throw new CliException(ExitCodes.USAGE, "The standard input is not UTF-8.");
    } catch (IOException e) {
      throw new CliException(ExitCodes.USAGE, "The standard input cannot be read: " + e);
    }
  }

  /** Parses JSON if the text is valid JSON, and takes it as text otherwise. */
  static JsonNode jsonOrText(String option, String given) {
    try {
      if (!ApiClient.JSON.readTree(given).isMissingNode()) {
        return parsed(option, given);
      }
    } catch (StreamConstraintsException e) {
      return parsed(option, given); // a number or list over the limits is not text
    } catch (JacksonException e) {
      // Not JSON.
    }
    return StringNode.valueOf(given);
  }

  private static String withoutMark(String text) {
    return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
  }

  private static String read(String option, String file) {
    try {
      return withoutMark(Files.readString(Path.of(file)));
    } catch (InvalidPathException e) {
      throw new CliException(
          ExitCodes.USAGE,
          option
              + " names the file '"
              + file
              + "', whose name cannot be told to the system in this locale; set one of UTF-8, as by"
              + " LC_ALL=C.UTF-8.");
    } catch (NoSuchFileException e) {
      throw new CliException(
          ExitCodes.USAGE, option + " names the file '" + file + "', which does not exist.");
    } catch (IOException e) {
      throw new CliException(
          ExitCodes.USAGE, option + " names the file '" + file + "', which cannot be read: " + e);
    }
  }
}
