package io.millrace.report.kpi;

/** Way in which a KPI is shown besides its value. */
public enum DisplayType {
  /** Only the tile. */
  TILE,
  LINE,
  BAR,
  PIE,
  /** Horizontal bars, for long names. */
  RANKING,
  /** A table of all columns of the answer. */
  TABLE
}
