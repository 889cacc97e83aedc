package io.millrace.report.kpi;

import io.millrace.report.kpi.KpiDefinition.QuerySpec;
import io.millrace.report.source.QuerySource;
import io.millrace.report.source.ResultTable;
import io.millrace.report.source.SourceException;
import io.millrace.report.source.SourceQuery;
import io.millrace.schedule.DataWindow;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Computes KPIs. Thread-safe. */
public final class KpiEvaluator {

  private final Map<String, QuerySource> sources;
  private final ZoneId zone;
  private final String hint;

  /**
   * Creates an evaluator.
   *
   * @param sources by the names that definitions use
   * @param zone where days begin
   */
  public KpiEvaluator(Map<String, QuerySource> sources, ZoneId zone) {
    this(sources, zone, "");
  }

  /**
   * Creates an evaluator.
   *
   * @param sources by the names that definitions use
   * @param zone where days begin
   * @param hint follows the message that a source is missing; may be empty
   */
  public KpiEvaluator(Map<String, QuerySource> sources, ZoneId zone, String hint) {
    this.hint = hint;
    this.sources = Map.copyOf(sources);
    this.zone = zone;
  }

  /**
   * Computes a KPI for a window.
   *
   * @throws SourceException when its source cannot answer; the message names the KPI
   */
  public KpiResult evaluate(KpiDefinition kpi, DataWindow window) {
    try {
      return compute(kpi, source(kpi), window);
    } catch (SourceException e) {
      throw new SourceException("KPI '" + kpi.id() + "': " + e.getMessage(), e);
    }
  }

  private QuerySource source(KpiDefinition kpi) {
    QuerySource source = sources.get(kpi.querySpec().source());
    if (source == null) {
      throw new SourceException(
          "There is no data source '"
              + kpi.querySpec().source()
              + "'; expected one of "
              + new TreeSet<>(sources.keySet())
              + hint);
    }
    return source;
  }

  private KpiResult compute(KpiDefinition kpi, QuerySource source, DataWindow window) {
    QuerySpec querySpec = kpi.querySpec();
    ResultTable table;
    List<SeriesPoint> points;
    Double value;
    if (querySpec.split() == WindowSplit.NONE) {
      table = read(querySpec, source, window);
      points = points(kpi, table);
      value = value(querySpec, table);
    } else {
      points = series(querySpec, source, window);
      table = table(querySpec, points);
      value = seriesValue(querySpec, points);
    }
    requireShowable(kpi, points);
    Double previous =
        querySpec.compared()
            ? previous(querySpec, source, DataWindows.previous(window, zone))
            : null;
    RuleInput ruleInput = new RuleInput(kpi.naming().name(), value, previous, points);
    List<Inference> inferences = kpi.contents().stream().map(r -> r.evaluate(ruleInput)).toList();
    return new KpiResult(kpi.id(), value, previous, finite(points), table, inferences);
  }

  private @Nullable Double previous(QuerySpec querySpec, QuerySource source, DataWindow window) {
    return querySpec.split() == WindowSplit.NONE
        ? value(querySpec, read(querySpec, source, window))
        : seriesValue(querySpec, series(querySpec, source, window));
  }

  /** Runs the query, and converts times to the zone of the report. */
  private ResultTable read(QuerySpec querySpec, QuerySource source, DataWindow window) {
    return TableTimeConverter.in(
        source.read(SourceQuery.of(querySpec.query(), window, zone)), zone);
  }

  private static @Nullable Double value(QuerySpec querySpec, ResultTable table) {
    return querySpec.aggregate().of(numbers(querySpec, table));
  }

  private static List<Double> numbers(QuerySpec querySpec, ResultTable table) {
    List<Double> numbers = new ArrayList<>();
    int column =
        querySpec.field().isBlank() ? -1 : table.isEmpty() ? -1 : table.column(querySpec.field());
    for (int row = 0; row < table.rows().size(); row++) {
      if (column >= 0 && querySpec.aggregate() != Aggregate.COUNT) {
        requireNumber(querySpec, table, row, column, "or use the aggregate 'count'");
      }
      numbers.add(column < 0 ? Double.NaN : table.number(row, column));
    }
    return numbers;
  }

  /**
   * Rejects a value that is neither a number nor null, so that it does not look like missing data.
   */
  private static void requireNumber(
      QuerySpec querySpec, ResultTable table, int row, int column, String otherwise) {
    if (table.rows().get(row).get(column) != null && !Double.isFinite(table.number(row, column))) {
      throw new SourceException(
          "The field '"
              + querySpec.field()
              + "' is '"
              + table.text(row, column)
              + "' in row "
              + (row + 1)
              + ", expected a finite number or null. Correct the query, "
              + otherwise
              + ".");
    }
  }

  /** Rejects negative values of a pie or a ranking, where they would look positive or vanish. */
  private static void requireShowable(KpiDefinition kpi, List<SeriesPoint> points) {
    DisplayType displayType = kpi.display().look();
    if (displayType != DisplayType.PIE && displayType != DisplayType.RANKING) {
      return;
    }
    for (SeriesPoint seriesPoint : points) {
      if (seriesPoint.value() < 0) {
        throw new SourceException(
            "The value of '"
                + seriesPoint.label()
                + "' is "
                + NumberText.exact(seriesPoint.value())
                + ", which the look '"
                + displayType.name().toLowerCase(Locale.ROOT)
                + "' cannot show; expected zero or more. Use the look 'bar' or 'table'.");
      }
    }
  }

  private static List<SeriesPoint> points(KpiDefinition kpi, ResultTable table) {
    QuerySpec querySpec = kpi.querySpec();
    if (table.isEmpty() || querySpec.field().isBlank() || table.columns().size() < 2) {
      return List.of();
    }
    int figure = table.column(querySpec.field());
    String wanted = kpi.display().label();
    int label = wanted.isEmpty() ? (figure == 0 ? 1 : 0) : table.column(wanted);
    List<SeriesPoint> points = new ArrayList<>();
    DisplayType displayType = kpi.display().look();
    boolean drawn = displayType != DisplayType.TILE && displayType != DisplayType.TABLE;
    for (int row = 0; row < table.rows().size(); row++) {
      if (drawn) {
        requireNumber(querySpec, table, row, figure, "or use the look 'table'");
      }
      points.add(new SeriesPoint(label(table, row, label), table.number(row, figure)));
    }
    return points;
  }

  private static String label(ResultTable table, int row, int column) {
    return table.rows().get(row).get(column) instanceof Number number
        ? NumberText.exact(number)
        : table.text(row, column);
  }

  private List<SeriesPoint> series(QuerySpec querySpec, QuerySource source, DataWindow window) {
    List<SeriesPoint> points = new ArrayList<>();
    for (DataWindows.Part part : DataWindows.parts(window, zone, querySpec.split())) {
      Double value = value(querySpec, read(querySpec, source, part.window()));
      points.add(new SeriesPoint(part.label(), value == null ? Double.NaN : value));
    }
    return points;
  }

  /**
   * Combines the figures of the parts. Counts add up; every other aggregate is applied to the
   * parts' figures.
   */
  private static @Nullable Double seriesValue(QuerySpec querySpec, List<SeriesPoint> points) {
    Aggregate aggregate =
        querySpec.aggregate() == Aggregate.COUNT ? Aggregate.SUM : querySpec.aggregate();
    return aggregate.of(points.stream().map(SeriesPoint::value).toList());
  }

  private static ResultTable table(QuerySpec querySpec, List<SeriesPoint> points) {
    String column = querySpec.field().isBlank() ? "count" : querySpec.field();
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (SeriesPoint seriesPoint : finite(points)) {
      rows.add(List.of(seriesPoint.label(), seriesPoint.value()));
    }
    return new ResultTable(List.of("from", column), rows);
  }

  private static List<SeriesPoint> finite(List<SeriesPoint> points) {
    return points.stream().filter(p -> Double.isFinite(p.value())).toList();
  }
}
