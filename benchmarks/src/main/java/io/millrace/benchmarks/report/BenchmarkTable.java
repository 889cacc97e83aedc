package io.millrace.benchmarks.report;

import io.millrace.benchmarks.measure.Distribution;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** A table of medians with their smallest and largest values, in Markdown. */
public final class BenchmarkTable {

  private final String title;
  private final List<Column> columns;
  private final SequencedMap<String, List<Map<String, Double>>> rows = new LinkedHashMap<>();

  public BenchmarkTable(String title, List<Column> columns) {
    this.title = title;
    this.columns = columns;
  }

  /** Adds the figures of one run to a row, and creates the row if it is new. */
  public void add(String row, Map<String, Double> figures) {
    rows.computeIfAbsent(row, r -> new ArrayList<>()).add(figures);
  }

  /** Returns the table in Markdown; rows are compared with the first row, run by run. */
  public String markdown() {
    StringBuilder text = new StringBuilder("### " + title + "\n\n");
    List<String> heads = new ArrayList<>(List.of(""));
    columns.forEach(column -> heads.add(column.title()));
    if (rows.size() > 1) {
      heads.add("first row is better by");
    }
    line(text, heads);
    text.append("|---".repeat(heads.size())).append("|\n");
    rows.forEach((row, runs) -> line(text, cells(row, runs)));
    return text.toString();
  }

  private List<String> cells(String row, List<Map<String, Double>> runs) {
    List<String> cells = new ArrayList<>(List.of(row));
    columns.forEach(column -> cells.add(cell(column, runs)));
    Map.Entry<String, List<Map<String, Double>>> first = rows.firstEntry();
    if (rows.size() > 1) {
      cells.add(first.getKey().equals(row) ? "" : ratio(first.getValue(), runs));
    }
    return cells;
  }

  private static void line(StringBuilder text, List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private static String cell(Column column, List<Map<String, Double>> runs) {
    List<Double> values = values(column, runs);
    if (values.isEmpty()) {
      return "-";
    }
    Distribution all = Distribution.of(values);
    String median = number(all.median(), column.digits());
    if (all.size() == 1) {
      return median;
    }
    return "%s (%s to %s)"
        .formatted(median, number(all.min(), column.digits()), number(all.max(), column.digits()));
  }

  private static List<Double> values(Column column, List<Map<String, Double>> runs) {
    return runs.stream()
        .map(run -> run.getOrDefault(column.figure(), Double.NaN))
        .filter(Double::isFinite)
        .toList();
  }

  /**
   * Returns the ratio between two rows, computed from consecutive runs so that a change of the
   * machine affects both.
   */
  private String ratio(List<Map<String, Double>> first, List<Map<String, Double>> other) {
    Column column = columns.getFirst();
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(first.size(), other.size()); i++) {
      @Nullable Double mine = first.get(i).get(column.figure());
      @Nullable Double theirs = other.get(i).get(column.figure());
      if (mine != null && theirs != null) {
        ratios.add(column.moreIsBetter() ? mine / theirs : theirs / mine);
      }
    }
    return ratios.isEmpty() ? "-" : number(Distribution.of(ratios).median(), 1) + " x";
  }

  private static String number(double value, int digits) {
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }
}
