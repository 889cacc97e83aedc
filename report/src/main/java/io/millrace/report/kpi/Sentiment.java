package io.millrace.report.kpi;

/** Judgment of a finding. */
public enum Sentiment {
  POSITIVE,
  NEUTRAL,
  NEGATIVE
}
