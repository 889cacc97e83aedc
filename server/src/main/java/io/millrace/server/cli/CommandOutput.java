package io.millrace.server.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The output of commands: text and tables for people, or JSON for programs. */
final class CommandOutput {
  private static final JsonMapper PRETTY =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
  private static final int WIDEST = 60;

  /**
   * Upper limit of the width of the last column; it may be wider, since nothing is aligned after
   * it.
   */
  private static final int WIDEST_LAST = 160;

  private static final Pattern FRACTION =
      Pattern.compile("^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d)\\.\\d{1,9}Z$");

  /** The full name of an exception class, as in the reason of a failure. */
  private static final Pattern EXCEPTION =
      Pattern.compile("\\b(?:[a-z_]\\w*\\.){2,}(?:[A-Z]\\w*[$.])*([A-Z]\\w*)");

  private final PrintWriter out;
  private final boolean json;

  CommandOutput(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  boolean json() {
    return json;
  }

  void json(JsonNode node) {
    out.println(PRETTY.writeValueAsString(node));
  }

  void line(String text) {
    out.println(clean(text));
    out.flush();
  }

  /**
   * Prints rows under a header, in columns as wide as needed. A row of one cell is a note on the
   * row above, and may be longer than a column.
   */
  void table(List<String> header, List<List<String>> rows) {
    List<List<String>> all = new ArrayList<>();
    all.add(header);
    rows.forEach(row -> all.add(row.size() == 1 ? List.of(remark(row.getFirst())) : cells(row)));
    int[] widths = new int[header.size()];
    for (List<String> row : all) {
      for (int i = 0; i < widths.length && row.size() > 1; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : all) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        int width = row.size() > 1 ? widths[i] : row.get(i).length();
        line.append(row.get(i)).repeat(' ', width - row.get(i).length() + 2);
      }
      out.println(line.toString().stripTrailing());
    }
    out.flush();
  }

  private static String remark(String text) {
    return "    " + clean(text.replace('\n', ' '));
  }

  private static List<String> cells(List<String> row) {
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      cells.add(cell(row.get(i), i == row.size() - 1 ? WIDEST_LAST : WIDEST));
    }
    return cells;
  }

  private static String cell(String text, int widest) {
    String line = clean(text.replace('\n', ' '));
    return line.length() <= widest ? line : line.substring(0, widest - 1) + "…";
  }

  /** Replaces control characters, because stored text must not control the terminal. */
  private static String clean(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> (Character.isISOControl(c) && c != '\n' && c != '\t') || isBidi(c) ? '\uFFFD' : c)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }

  private static boolean isBidi(int c) {
    return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  }

  /** Returns a text that is a time to the second, and any other as it is. */
  static String time(String text) {
    return FRACTION.matcher(text).replaceFirst("$1Z");
  }

  /** Returns a text in which exceptions are named without their packages. */
  static String reason(String text) {
    return EXCEPTION.matcher(text).replaceAll("$1");
  }

  /**
   * Returns a value as text: a dash if it is null or missing, the elements of a list with commas,
   * and the members of an object as in "failed 3, finished 120".
   */
  static String text(JsonNode value) {
    if (value.isArray()) {
      return value.valueStream().map(CommandOutput::text).collect(Collectors.joining(", "));
    }
    if (value.isObject() && !value.isEmpty()) {
      return value
          .propertyStream()
          .map(member -> member.getKey() + " " + text(member.getValue()))
          .collect(Collectors.joining(", "));
    }
    return value.isMissingNode() || value.isNull() || value.isObject() ? "-" : value.asString();
  }
}
