package io.millrace.report.chart;

import java.util.ArrayList;
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

  /**
   * Upper limit of the points of a line or of bars: the width of a page in the units of a chart.
   */
  static final int MAX_POINTS = 1000;

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

  /** Returns the chart with other labels. */
  public ChartData labels(List<String> others) {
    return new ChartData(kind, name, unit, others, values);
  }

  /**
   * Returns a series that can be drawn: this one, or if it has more points than a page has room
   * for, the lowest and the highest point of each stretch, in order.
   */
  public ChartData thinned() {
    if (kind == Kind.PIE || values.size() <= MAX_POINTS) {
      return this;
    }
    List<String> fewerLabels = new ArrayList<>();
    List<Double> fewerValues = new ArrayList<>();
    int stretches = MAX_POINTS / 2;
    for (int stretch = 0; stretch < stretches; stretch++) {
      int from = (int) ((long) stretch * values.size() / stretches);
      int to = (int) ((stretch + 1L) * values.size() / stretches);
      int lowest = from;
      int highest = from;
      for (int i = from; i < to; i++) {
        lowest = values.get(i) < values.get(lowest) ? i : lowest;
        highest = values.get(i) >= values.get(highest) ? i : highest;
      }
      for (int i : new int[] {Math.min(lowest, highest), Math.max(lowest, highest)}) {
        fewerLabels.add(labels.get(i));
        fewerValues.add(values.get(i));
      }
    }
    return new ChartData(kind, name, unit, fewerLabels, fewerValues);
  }
}
