package io.millrace.report.kpi;

/** Whether a query is run for the whole window, or for each part of it, which gives a series. */
public enum WindowSplit {
  NONE,
  DAY,
  WEEK,
  /** By day up to 31 days, else by week. */
  AUTO
}
