package io.millrace.report.source;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a query. Immutable.
 *
 * @param columns the names, in order
 * @param rows rows with one cell for each column; a cell is text, a number, a boolean or null
 */
public record ResultTable(List<String> columns, List<List<@Nullable Object>> rows) {

  public ResultTable {
    columns = List.copyOf(columns);
    List<List<@Nullable Object>> copies = new ArrayList<>();
    for (List<@Nullable Object> row : rows) {
      if (row.size() != columns.size()) {
        throw new SourceException(
            "A row has "
                + row.size()
                + " cells, expected "
                + columns.size()
                + " as for "
                + columns);
      }
      copies.add(Collections.unmodifiableList(new ArrayList<>(row)));
    }
    rows = Collections.unmodifiableList(copies);
  }

  public static ResultTable empty(String... columns) {
    return new ResultTable(List.of(columns), List.of());
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /**
   * Returns the index of a column, ignoring case.
   *
   * @throws SourceException when there is no column of this name
   */
  public int column(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).equalsIgnoreCase(name)) {
        return i;
      }
    }
    throw new SourceException("There is no field '" + name + "'; the query answers " + columns);
  }

  /** Returns the cell as a number; {@link Double#NaN} when it is null or not a number. */
  public double number(int row, int column) {
    Object cell = rows.get(row).get(column);
    if (cell instanceof Number number) {
      return number.doubleValue();
    }
    if (cell instanceof Boolean flag) {
      return flag ? 1 : 0;
    }
    try {
      return cell == null ? Double.NaN : new BigDecimal(cell.toString().strip()).doubleValue();
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** Returns the cell as text; a dash when it is null. */
  public String text(int row, int column) {
    Object cell = rows.get(row).get(column);
    return cell == null ? "–" : cell.toString();
  }
}
