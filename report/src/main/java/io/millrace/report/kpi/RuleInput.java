package io.millrace.report.kpi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Input of content rules.
 *
 * @param value null or not finite when there is no data
 * @param previous the value of the window before, likewise
 */
public record RuleInput(
    String name, @Nullable Double value, @Nullable Double previous, List<SeriesPoint> points) {

  public RuleInput {
    points = List.copyOf(points);
  }

  boolean hasValue() {
    return value != null && Double.isFinite(value);
  }

  double valueOrNaN() {
    return value == null ? Double.NaN : value;
  }

  double previousOrNaN() {
    return previous == null ? Double.NaN : previous;
  }

  /** Returns the points that are numbers. */
  List<SeriesPoint> finite() {
    return points.stream().filter(p -> Double.isFinite(p.value())).toList();
  }
}
