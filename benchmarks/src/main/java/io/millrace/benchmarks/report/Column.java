package io.millrace.benchmarks.report;

/**
 * A column of a table.
 *
 * @param figure the name of the figure that it shows
 * @param digits how many digits after the point
 * @param moreIsBetter which way a ratio between engines is read
 */
public record Column(String title, String figure, int digits, boolean moreIsBetter) {

  public static Column moreIsBetter(String title, String figure, int digits) {
    return new Column(title, figure, digits, true);
  }

  public static Column lessIsBetter(String title, String figure, int digits) {
    return new Column(title, figure, digits, false);
  }
}
