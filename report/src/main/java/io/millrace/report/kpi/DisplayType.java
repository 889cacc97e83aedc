package io.millrace.report.kpi;

/** How a KPI is shown besides its value. */
public enum DisplayType {
  /** As a tile only. */
  TILE,
  LINE,
  BAR,
  PIE,
  /** Bars beside the names, for names that are long. */
  RANKING,
  /** All columns of the answer. */
  TABLE
}
