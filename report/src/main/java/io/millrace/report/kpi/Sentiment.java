package io.millrace.report.kpi;

/** What to think of a finding. */
public enum Sentiment {
  POSITIVE,
  NEUTRAL,
  NEGATIVE
}
