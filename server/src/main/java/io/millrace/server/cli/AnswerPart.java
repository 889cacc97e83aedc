package io.millrace.server.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/** A part of what a command prints of an answer. Its texts have {@link TemplateValues}. */
@FunctionalInterface
interface AnswerPart {

  void print(CommandOutput output, TemplateValues values);

  static AnswerPart line(String template) {
    return (output, values) -> output.line(values.text(template));
  }

  /** Prints a line if a field or argument is true, in the sense of a placeholder. */
  static AnswerPart lineIf(String name, String template) {
    return (output, values) -> {
      if (values.isTrue(name)) {
        output.line(values.text(template));
      }
    };
  }

  static AnswerPart lineUnless(String name, String template) {
    return (output, values) -> {
      if (!values.isTrue(name)) {
        output.line(values.text(template));
      }
    };
  }

  /** Prints how to get the next page, if there is one. */
  static AnswerPart more(String option) {
    return lineIf("next", "There are more: add " + option + " {next}");
  }

  /** Prints the parts of a field. */
  static AnswerPart within(String field, AnswerPart... parts) {
    return (output, values) -> {
      TemplateValues inner = values.of(values.value(field));
      List.of(parts).forEach(part -> part.print(output, inner));
    };
  }

  /** Prints the parts for each element of a field. */
  static AnswerPart each(String field, AnswerPart... parts) {
    return (output, values) -> {
      for (JsonNode element : values.value(field)) {
        List.of(parts).forEach(part -> part.print(output, values.of(element)));
      }
    };
  }

  /**
   * Prints a table with a row for each element of a field.
   *
   * @param field the field with the list; a dot for the answer itself
   * @param columns header and cell of each column, as in {@code ID {id} | STATE {state}}
   * @param remarks lines below a row, left out when empty
   */
  static AnswerPart table(String field, String columns, String... remarks) {
    return table(field, row -> row, columns, remarks);
  }

  /**
   * Prints a table with computed fields.
   *
   * @param computed adds fields to the values of a row
   */
  static AnswerPart table(
      String field, UnaryOperator<TemplateValues> computed, String columns, String... remarks) {
    return (output, values) -> {
      List<String> headers = new ArrayList<>();
      List<String> cells = new ArrayList<>();
      for (String column : columns.split(" \\| ", -1)) {
        int cell = column.indexOf('{');
        headers.add(column.substring(0, cell).strip());
        cells.add(column.substring(cell));
      }
      List<List<String>> rows = new ArrayList<>();
      for (JsonNode element : values.value(field)) {
        TemplateValues row = computed.apply(values.of(element));
        rows.add(cells.stream().map(row::text).toList());
        Arrays.stream(remarks)
            .map(row::text)
            .filter(remark -> !remark.isEmpty())
            .forEach(remark -> rows.add(List.of(remark)));
      }
      output.table(headers, rows);
    };
  }
}
