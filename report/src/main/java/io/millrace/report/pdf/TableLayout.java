package io.millrace.report.pdf;

import io.millrace.report.kpi.NumberText;
import io.millrace.report.source.ResultTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a table as values for templates. A table that is too wide for a page gets a smaller
 * font. If that is not enough, it is divided into parts below each other, each of which repeats the
 * first column.
 */
final class TableLayout {

  /** Number of characters that fit in a line of the page, by font size. */
  private static final int NORMAL_WIDTH = 96;

  private static final int SMALL_WIDTH = 130;

  /** Number of spaces between two columns. */
  private static final int GAP = 2;

  /** Length up to which a text is not broken into lines; a number never is. */
  private static final int MAX_UNBROKEN = 12;

  private static final int MAX_PREFERRED = 48;

  private final ResultTable table;
  private final int rows;
  private final List<Column> columns = new ArrayList<>();

  /**
   * A column.
   *
   * @param least the number of characters that it needs at least
   * @param preferred the number of characters that it uses when there is room
   */
  private record Column(int index, String label, boolean number, int least, int preferred) {}

  TableLayout(ResultTable table, int mostRows) {
    this.table = table;
    this.rows = Math.min(table.rows().size(), mostRows);
    for (int i = 0; i < table.columns().size(); i++) {
      columns.add(column(i));
    }
  }

  private Column column(int index) {
    String label = label(table.columns().get(index));
    boolean number = false;
    int longest = 0;
    for (int row = 0; row < rows; row++) {
      number |= cell(row, index) instanceof Number;
      longest = Math.max(longest, length(text(cell(row, index))));
    }
    int word = 0;
    for (String part : label.split(" ", -1)) {
      word = Math.max(word, length(part));
    }
    int least = Math.max(Math.min(word, MAX_UNBROKEN), number ? longest : 0);
    least = Math.max(least, Math.min(longest, MAX_UNBROKEN));
    int preferred = Math.max(least, Math.min(Math.max(longest, length(label)), MAX_PREFERRED));
    return new Column(index, label, number, least + GAP, preferred + GAP);
  }

  /** Returns the columns of the whole table. */
  List<Map<String, Object>> columns() {
    return heads(columns);
  }

  /** Returns the rows of the whole table. */
  List<Map<String, Object>> rows() {
    return cells(columns);
  }

  /** Returns the table in parts that fit on a page. */
  List<Map<String, Object>> parts() {
    List<Map<String, Object>> parts = new ArrayList<>();
    for (List<Column> part : split()) {
      boolean small = part.stream().mapToInt(Column::least).sum() > NORMAL_WIDTH;
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("size", small ? "small" : "normal");
      one.put("columns", heads(part));
      one.put("rows", cells(part));
      parts.add(one);
    }
    return parts;
  }

  private List<List<Column>> split() {
    List<List<Column>> parts = new ArrayList<>();
    List<Column> part = new ArrayList<>();
    int width = 0;
    for (Column column : columns) {
      if (!part.isEmpty() && width + column.least() > SMALL_WIDTH) {
        parts.add(part);
        Column first = columns.getFirst();
        boolean repeats = first.least() + column.least() <= SMALL_WIDTH;
        part = new ArrayList<>(repeats ? List.of(first) : List.of());
        width = repeats ? first.least() : 0;
      }
      part.add(column);
      width += column.least();
    }
    if (!part.isEmpty()) {
      parts.add(part);
    }
    return parts;
  }

  private static List<Map<String, Object>> heads(List<Column> columns) {
    int least = columns.stream().mapToInt(Column::least).sum();
    int wanted = columns.stream().mapToInt(c -> c.preferred() - c.least()).sum();
    // The remaining width goes to the columns that prefer more than they need.
    double room = Math.max(0, NORMAL_WIDTH - least);
    double share = wanted == 0 ? 0 : Math.min(1, room / wanted);
    double all = least + share * wanted;
    List<Map<String, Object>> heads = new ArrayList<>();
    for (Column column : columns) {
      double width = column.least() + share * (column.preferred() - column.least());
      Map<String, Object> head = new LinkedHashMap<>();
      head.put("label", column.label());
      head.put("cellClass", column.number() ? "number" : "text");
      head.put("width", String.format(Locale.ROOT, "%.2f", width / all * 100));
      heads.add(head);
    }
    return heads;
  }

  private List<Map<String, Object>> cells(List<Column> columns) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      List<Map<String, Object>> cells = new ArrayList<>();
      for (Column column : columns) {
        Object cell = cell(row, column.index());
        String kind = cell instanceof Number ? "number" : "text";
        cells.add(Map.of("text", text(cell), "cellClass", kind));
      }
      all.add(Map.of("cells", cells));
    }
    return all;
  }

  private @Nullable Object cell(int row, int column) {
    return table.rows().get(row).get(column);
  }

  private static String text(@Nullable Object cell) {
    return cell instanceof Number number
        ? NumberText.exact(number)
        : cell == null ? "–" : cell.toString();
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static String label(String column) {
    String name = column.replace('_', ' ').toLowerCase(Locale.ROOT);
    if (name.isEmpty()) {
      return name;
    }
    int first = name.offsetByCodePoints(0, 1);
    return name.substring(0, first).toUpperCase(Locale.ROOT) + name.substring(first);
  }
}
