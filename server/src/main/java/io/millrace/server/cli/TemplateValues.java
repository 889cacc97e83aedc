package io.millrace.server.cli;

import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The values for the placeholders of a text: the fields of an answer and the arguments of a
 * command.
 *
 * <ul>
 *   <li>{@code {run.series}} is a field of the answer, a dash if it is null or missing, and {@code
 *       {.}} the answer itself; a list is joined with commas
 *   <li>{@code {ID}} and {@code {--to}} are arguments
 *   <li>{@code {created:time}} is to the second, {@code {reason:reason}} has exceptions without
 *       their packages, {@code {error:first}} is the first line, {@code {body:line}} one line,
 *       {@code {load:words}} a list without commas, and {@code {nodes:size}} its length
 *   <li>{@code {active?yes|no}} is one of two texts, which may have placeholders; the second may be
 *       missing, as in {@code {actor? by {actor}}}
 * </ul>
 *
 * @param encoding applied to each value that is put in
 */
record TemplateValues(JsonNode answer, JsonNode arguments, UnaryOperator<String> encoding) {

  TemplateValues(JsonNode answer, JsonNode arguments) {
    this(answer, arguments, UnaryOperator.identity());
  }

  /** Returns the same arguments with another answer. */
  TemplateValues of(JsonNode part) {
    return new TemplateValues(part, arguments, encoding);
  }

  /** Returns these values and a computed field of the answer. */
  TemplateValues with(String field, String value) {
    return of(((ObjectNode) answer).deepCopy().put(field, value));
  }

  /** Returns the text with all placeholders replaced. */
  String text(String template) {
    StringBuilder text = new StringBuilder();
    int from = 0;
    for (int open = template.indexOf('{'); open >= 0; open = template.indexOf('{', from)) {
      int close = end(template, open + 1, '}');
      text.append(template, from, open).append(replaced(template.substring(open + 1, close)));
      from = close + 1;
    }
    return text.append(template, from, template.length()).toString();
  }

  private String replaced(String placeholder) {
    int question = placeholder.indexOf('?');
    if (question >= 0) {
      int bar = end(placeholder, question + 1, '|');
      return text(
          isTrue(placeholder.substring(0, question))
              ? placeholder.substring(question + 1, bar)
              : placeholder.substring(Math.min(bar + 1, placeholder.length())));
    }
    String[] parts = placeholder.split(":", 2);
    return encoding.apply(formatted(value(parts[0]), parts.length == 1 ? "" : parts[1]));
  }

  /** Returns the index of a character that is not within braces, or the length. */
  private static int end(String text, int from, char wanted) {
    int depth = 0;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == wanted && depth == 0) {
        return i;
      }
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    }
    return text.length();
  }

  /** Returns true unless a field or argument is false, null, missing or empty. */
  boolean isTrue(String name) {
    JsonNode value = value(name);
    if (value.isBoolean()) {
      return value.booleanValue();
    }
    if (value.isString()) {
      return !value.asString().isBlank() && !value.asString().equals("{}");
    }
    return value.isContainer() ? !value.isEmpty() : !value.isNull() && !value.isMissingNode();
  }

  /** Returns the field or argument with a name, as in a placeholder. */
  JsonNode value(String name) {
    if (name.equals(".")) {
      return answer;
    }
    char first = name.charAt(0);
    if (first == '-' || Character.isUpperCase(first)) {
      return arguments.path(name);
    }
    JsonNode value = answer;
    for (String field : name.split("\\.", -1)) {
      value = value.path(field);
    }
    return value;
  }

  private static String formatted(JsonNode value, String format) {
    String text = CommandOutput.text(value);
    return switch (format) {
      case "" -> text;
      case "time" -> CommandOutput.time(text);
      case "reason" -> CommandOutput.reason(text);
      case "first" -> text.lines().findFirst().orElse("");
      case "line" -> text.replace('\n', ' ');
      case "words" -> value.valueStream().map(CommandOutput::text).collect(Collectors.joining(" "));
      case "size" -> String.valueOf(value.size());
      default -> throw new IllegalArgumentException("Unknown format '" + format + "'.");
    };
  }
}
