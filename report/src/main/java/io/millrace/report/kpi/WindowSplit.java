package io.millrace.report.kpi;

/**
 * Division of a window into parts. A query runs for the whole window, or for each part, which gives
 * a series.
 */
public enum WindowSplit {
  NONE,
  DAY,
  WEEK,
  /** Days up to 31 days, else weeks. */
  AUTO
}
