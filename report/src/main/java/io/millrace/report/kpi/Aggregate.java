package io.millrace.report.kpi;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Way to combine several values into one. */
public enum Aggregate {
  SUM,
  AVERAGE,
  MIN,
  MAX,
  LAST,
  /** The number of rows, whatever their values are. */
  COUNT;

  /** Returns the combined value; null when there are no numbers. */
  @Nullable Double of(List<Double> values) {
    double[] finite = values.stream().mapToDouble(v -> v).filter(Double::isFinite).toArray();
    if (this == COUNT) {
      return (double) values.size();
    }
    if (finite.length == 0) {
      return null;
    }
    var numbers = Arrays.stream(finite);
    return switch (this) {
      case SUM -> sum(finite).doubleValue();
      case AVERAGE ->
          sum(finite)
              .divide(BigDecimal.valueOf(finite.length), MathContext.DECIMAL64)
              .doubleValue();
      case MIN -> numbers.min().orElse(Double.NaN);
      case MAX -> numbers.max().orElse(Double.NaN);
      case LAST -> finite[finite.length - 1];
      case COUNT -> (double) finite.length;
    };
  }

  /** Adds the values as decimal numbers, so that 0.1 + 0.2 - 0.3 is zero. */
  private static BigDecimal sum(double[] values) {
    return Arrays.stream(values)
        .mapToObj(BigDecimal::valueOf)
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }
}
