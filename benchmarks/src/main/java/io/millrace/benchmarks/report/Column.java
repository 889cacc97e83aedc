package io.millrace.benchmarks.report;

/**
 * A column of a table.
 *
 * @param figure name of the figure that it shows
 * @param digits number of digits after the decimal point
 * @param moreIsBetter true if a larger value is better
 */
public record Column(String title, String figure, int digits, boolean moreIsBetter) {

  public static Column moreIsBetter(String title, String figure, int digits) {
    return new Column(title, figure, digits, true);
  }

  public static Column lessIsBetter(String title, String figure, int digits) {
    return new Column(title, figure, digits, false);
  }
}
