package io.millrace.server.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.LongNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * An argument of a command: an option if its name starts with dashes, otherwise a parameter.
 *
 * @param label the word for its value in the help
 * @param field the field of the request that gets the value: {@code .} for the whole body, empty if
 *     the request has it in its path or not at all
 * @param reader returns the value for the request, given the name of the argument
 * @param many true if it may be given several times
 * @param preset its value when it is not given; empty for none
 * @param split a regular expression between several values in one; empty for none
 */
record CommandArgument(
    String name,
    String label,
    Class<?> type,
    String field,
    String description,
    BiFunction<String, Object, JsonNode> reader,
    boolean required,
    boolean many,
    String preset,
    String split) {

  static final CommandArgument CURSOR =
      text("--cursor CURSOR", "cursor", "The cursor that the page before ended with.");
  static final CommandArgument AFTER =
      text("--after NAME", "after", "The last name of the page before.");
  static final CommandArgument LIMIT = limit(50, 1000);

  /** The reason of an action, for the audit. */
  static final CommandArgument REASON = text("--reason TEXT", "reason", "Written into the audit.");

  /** The reason of an action on instances. */
  static final CommandArgument HISTORY_REASON =
      text("--reason TEXT", "reason", "Written into the history.");

  /**
   * @param name a parameter, as {@code ID}, or an option with the label of its value
   */
  private static CommandArgument of(
      String name,
      Class<?> type,
      String field,
      String description,
      BiFunction<String, Object, JsonNode> reader) {
    String[] words = name.split(" ", 2);
    return new CommandArgument(
        words[0],
        words[words.length - 1],
        type,
        field,
        description,
        reader,
        !name.startsWith("-"),
        false,
        "",
        "");
  }

  static CommandArgument text(String name, String field, String description) {
    return of(name, String.class, field, description, (n, v) -> StringNode.valueOf((String) v));
  }

  /** Returns a text, or the content of the file in {@code @FILE}. */
  static CommandArgument textOrFile(String name, String field, String description) {
    return of(
        name,
        String.class,
        field,
        description,
        (n, v) -> StringNode.valueOf(JsonArguments.text(n, (String) v)));
  }

  /** Returns the path of a file, which the shell completes. */
  static CommandArgument path(String name, String description) {
    return of(name, Path.class, "", description, (n, v) -> StringNode.valueOf(v.toString()));
  }

  /** Returns a whole number that fits into 32 bits. */
  static CommandArgument number(String name, String field, String description) {
    return of(name, Integer.class, field, description, (n, v) -> IntNode.valueOf((Integer) v));
  }

  /** Returns a whole number that may need 64 bits, as ids do. */
  static CommandArgument longNumber(String name, String field, String description) {
    return of(name, Long.class, field, description, (n, v) -> LongNode.valueOf((Long) v));
  }

  static CommandArgument decimal(String name, String description) {
    return of(name, Double.class, "", description, (n, v) -> DoubleNode.valueOf((Double) v));
  }

  static CommandArgument flag(String name, String field, String description) {
    return of(name, boolean.class, field, description, (n, v) -> BooleanNode.TRUE);
  }

  /** Returns a time, a date or an age, which becomes a time. */
  static CommandArgument filterTime(String name, String field, String description) {
    return of(
        name,
        String.class,
        field,
        description,
        (n, v) -> StringNode.valueOf(FilterTimeParser.read(n, (String) v)));
  }

  static CommandArgument json(String name, String field, String description) {
    return of(name, String.class, field, description, (n, v) -> JsonArguments.json(n, (String) v));
  }

  /** Returns values by name, each of them JSON or a text. */
  static CommandArgument members(String name, String field, String description) {
    return of(name, Map.class, field, description, CommandArgument::readMembers);
  }

  /** Returns the JSON in a file. */
  static CommandArgument file(String field, String description) {
    return of("FILE", String.class, field, description, (n, v) -> JsonArguments.file((String) v));
  }

  /**
   * Returns the JSON object in a file, which is the whole body.
   *
   * @param key the text in it that names the object
   */
  static CommandArgument object(String key, String description) {
    return of(
        "FILE", String.class, ".", description, (n, v) -> JsonArguments.object((String) v, key));
  }

  static CommandArgument limit(int preset, int max) {
    return number("--limit N", "limit", "1 to " + max + ". Default: " + preset + ".")
        .preset(String.valueOf(preset));
  }

  CommandArgument required(boolean now) {
    return new CommandArgument(
        name, label, type, field, description, reader, now, many, preset, split);
  }

  /** Returns the same argument, which may be given several times. */
  CommandArgument repeated() {
    return new CommandArgument(
        name, label, type, field, description, reader, required, true, preset, split);
  }

  CommandArgument preset(String value) {
    return new CommandArgument(
        name, label, type, field, description, reader, required, many, value, split);
  }

  CommandArgument split(String between) {
    return new CommandArgument(
        name, label, type, field, description, reader, required, true, preset, between);
  }

  private boolean isOption() {
    return name.startsWith("-");
  }

  /**
   * Returns the argument for the parser.
   *
   * @param index the number of parameters before it
   */
  ArgSpec spec(int index) {
    Class<?> whole = many ? List.class : type;
    Class<?>[] parts =
        type == Map.class ? new Class<?>[] {String.class, String.class} : new Class<?>[] {type};
    @Nullable String initial = preset.isEmpty() ? null : preset;
    if (isOption()) {
      return OptionSpec.builder(name)
          .arity(type == boolean.class ? "0" : "1")
          .paramLabel(label)
          .description(description)
          .type(whole)
          .auxiliaryTypes(parts)
          .splitRegex(split)
          .required(required)
          .defaultValue(initial)
          .build();
    }
    return PositionalParamSpec.builder()
        .index(many ? index + "..*" : String.valueOf(index))
        .arity((required ? "1" : "0") + (many ? "..*" : required ? "" : "..1"))
        .paramLabel(label)
        .description(description)
        .type(whole)
        .auxiliaryTypes(parts)
        .required(required)
        .build();
  }

  /** Returns what was typed as JSON. */
  JsonNode read(Object typed) {
    if (!(typed instanceof List<?> several)) {
      return reader.apply(name, typed);
    }
    ArrayNode all = ApiClient.JSON.createArrayNode();
    several.forEach(one -> all.add(reader.apply(name, one)));
    return all;
  }

  private static JsonNode readMembers(String name, Object typed) {
    ObjectNode all = ApiClient.JSON.createObjectNode();
    ((Map<?, ?>) typed)
        .forEach((key, value) ->
            all.set((String) key, JsonArguments.jsonOrText(name + " " + key, (String) value)));
    return all;
  }
}
