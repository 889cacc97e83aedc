package io.millrace.report.kpi;

import io.millrace.report.source.ResultTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of a KPI in a window. Immutable.
 *
 * @param value null when there was no data
 * @param previous the value of the window before; null when there was no data, or it was not
 *     queried
 * @param points the series, if it has one
 * @param table the answer of the query
 */
public record KpiResult(
    String kpiId,
    @Nullable Double value,
    @Nullable Double previous,
    List<SeriesPoint> points,
    ResultTable table,
    List<Inference> inferences) {

  public KpiResult {
    points = List.copyOf(points);
    inferences = List.copyOf(inferences);
  }
}
