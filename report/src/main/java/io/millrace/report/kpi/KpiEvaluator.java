package io.millrace.report.kpi;

import io.millrace.report.kpi.KpiDefinition.Ask;
import io.millrace.report.source.Query;
import io.millrace.report.source.QuerySource;
import io.millrace.report.source.SourceException;
import io.millrace.report.source.Table;
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
   * An evaluator.
   *
   * @param sources by the names that definitions use
   * @param zone where days begin
   */
  public KpiEvaluator(Map<String, QuerySource> sources, ZoneId zone) {
    this(sources, zone, "");
  }

  /**
   * An evaluator.
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
    QuerySource source = sources.get(kpi.ask().source());
    if (source == null) {
      throw new SourceException(
          "There is no data source '"
              + kpi.ask().source()
              + "'; expected one of "
              + new TreeSet<>(sources.keySet())
              + hint);
    }
    return source;
  }

  private KpiResult compute(KpiDefinition kpi, QuerySource source, DataWindow window) {
    Ask ask = kpi.ask();
    Table table;
    List<Point> points;
    Double value;
    if (ask.split() == Split.NONE) {
      table = read(ask, source, window);
      points = points(kpi, table);
      value = value(ask, table);
    } else {
      points = series(ask, source, window);
      table = table(ask, points);
      value = seriesValue(ask, points);
    }
    requireShowable(kpi, points);
    Double previous = ask.compared() ? previous(ask, source, Windows.previous(window, zone)) : null;
    Facts facts = new Facts(kpi.naming().name(), value, previous, points);
    List<Inference> inferences = kpi.contents().stream().map(r -> r.evaluate(facts)).toList();
    return new KpiResult(kpi.id(), value, previous, finite(points), table, inferences);
  }

  private @Nullable Double previous(Ask ask, QuerySource source, DataWindow window) {
    return ask.split() == Split.NONE
        ? value(ask, read(ask, source, window))
        : seriesValue(ask, series(ask, source, window));
  }

  /** Times are shown in the zone of the report. */
  private Table read(Ask ask, QuerySource source, DataWindow window) {
    return LocalTimes.in(source.read(Query.of(ask.query(), window, zone)), zone);
  }

  private static @Nullable Double value(Ask ask, Table table) {
    return ask.aggregate().of(numbers(ask, table));
  }

  private static List<Double> numbers(Ask ask, Table table) {
    List<Double> numbers = new ArrayList<>();
    int column = ask.field().isBlank() ? -1 : table.isEmpty() ? -1 : table.column(ask.field());
    for (int row = 0; row < table.rows().size(); row++) {
      if (column >= 0 && ask.aggregate() != Aggregate.COUNT) {
        requireNumber(ask, table, row, column, "or use the aggregate 'count'");
      }
      numbers.add(column < 0 ? Double.NaN : table.number(row, column));
    }
    return numbers;
  }

  /** A value that is not a number must not look like missing data; null may. */
  private static void requireNumber(Ask ask, Table table, int row, int column, String otherwise) {
    if (table.rows().get(row).get(column) != null && !Double.isFinite(table.number(row, column))) {
      throw new SourceException(
          "The field '"
              + ask.field()
              + "' is '"
              + table.text(row, column)
              + "' in row "
              + (row + 1)
              + ", expected a finite number or null. Correct the query, "
              + otherwise
              + ".");
    }
  }

  /** A slice or a bar of a ranking has no direction, so that it would look positive or vanish. */
  private static void requireShowable(KpiDefinition kpi, List<Point> points) {
    Look look = kpi.display().look();
    if (look != Look.PIE && look != Look.RANKING) {
      return;
    }
    for (Point point : points) {
      if (point.value() < 0) {
        throw new SourceException(
            "The value of '"
                + point.label()
                + "' is "
                + Figures.exact(point.value())
                + ", which the look '"
                + look.name().toLowerCase(Locale.ROOT)
                + "' cannot show; expected zero or more. Use the look 'bar' or 'table'.");
      }
    }
  }

  private static List<Point> points(KpiDefinition kpi, Table table) {
    Ask ask = kpi.ask();
    if (table.isEmpty() || ask.field().isBlank() || table.columns().size() < 2) {
      return List.of();
    }
    int figure = table.column(ask.field());
    String wanted = kpi.display().label();
    int label = wanted.isEmpty() ? (figure == 0 ? 1 : 0) : table.column(wanted);
    List<Point> points = new ArrayList<>();
    Look look = kpi.display().look();
    boolean drawn = look != Look.TILE && look != Look.TABLE;
    for (int row = 0; row < table.rows().size(); row++) {
      if (drawn) {
        requireNumber(ask, table, row, figure, "or use the look 'table'");
      }
      points.add(new Point(label(table, row, label), table.number(row, figure)));
    }
    return points;
  }

  private static String label(Table table, int row, int column) {
    return table.rows().get(row).get(column) instanceof Number number
        ? Figures.exact(number)
        : table.text(row, column);
  }

  private List<Point> series(Ask ask, QuerySource source, DataWindow window) {
    List<Point> points = new ArrayList<>();
    for (Windows.Part part : Windows.parts(window, zone, ask.split())) {
      Double value = value(ask, read(ask, source, part.window()));
      points.add(new Point(part.label(), value == null ? Double.NaN : value));
    }
    return points;
  }

  /** Counts of parts add up; every other figure of the whole is that of the parts' figures. */
  private static @Nullable Double seriesValue(Ask ask, List<Point> points) {
    Aggregate aggregate = ask.aggregate() == Aggregate.COUNT ? Aggregate.SUM : ask.aggregate();
    return aggregate.of(points.stream().map(Point::value).toList());
  }

  private static Table table(Ask ask, List<Point> points) {
    String column = ask.field().isBlank() ? "count" : ask.field();
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (Point point : finite(points)) {
      rows.add(List.of(point.label(), point.value()));
    }
    return new Table(List.of("from", column), rows);
  }

  private static List<Point> finite(List<Point> points) {
    return points.stream().filter(p -> Double.isFinite(p.value())).toList();
  }
}
