package io.millrace.report.chart;

import java.util.List;

/**
 * One series to draw. Immutable.
 *
 * @param name of the series
 * @param unit of the values; may be empty
 * @param labels of the points; dates as {@code 2026-11-16} are shortened
 * @param values as many as labels, all finite
 */
public record ChartData(
    Kind kind, String name, String unit, List<String> labels, List<Double> values) {

  /** The form of a chart. */
  public enum Kind {
    LINE,
    BAR,
    PIE
  }

  public ChartData {
    labels = List.copyOf(labels);
    values = List.copyOf(values);
    if (labels.size() != values.size()) {
      throw new IllegalArgumentException(
          labels.size() + " labels for " + values.size() + " values of " + name);
    }
    if (values.stream().anyMatch(v -> !Double.isFinite(v))) {
      throw new IllegalArgumentException("A value of " + name + " is not finite");
    }
  }
}
