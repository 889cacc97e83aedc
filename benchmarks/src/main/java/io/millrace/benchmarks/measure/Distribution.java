package io.millrace.benchmarks.measure;

import java.util.Arrays;
import java.util.Collection;

/** Sorted samples of one figure. */
public final class Distribution {

  private final double[] sorted;

  private Distribution(double[] sorted) {
    this.sorted = sorted;
  }

  public static Distribution of(Collection<Double> samples) {
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("A distribution needs at least one sample.");
    }
    double[] sorted = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new Distribution(sorted);
  }

  public int size() {
    return sorted.length;
  }

  public double median() {
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  public double min() {
    return sorted[0];
  }

  public double max() {
    return sorted[sorted.length - 1];
  }

  /**
   * Returns the smallest sample that is at least as large as the given share of all samples.
   *
   * @param share greater than 0, at most 1
   */
  public double quantile(double share) {
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted[Math.clamp(rank, 1, sorted.length) - 1];
  }

  @Override
  public String toString() {
    return Arrays.toString(sorted);
  }
}
