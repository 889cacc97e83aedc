package io.millrace.report.kpi;

/** What a content rule may find; a message belongs to each. */
public enum Finding {
  ABOVE,
  BELOW,
  EQUAL,
  INSIDE,
  EXTREMES,
  CONSTANT,
  RISING,
  FALLING,
  STEADY,
  HIGHER,
  LOWER,
  SAME,
  /** There was nothing in the window before. */
  FIRST,
  /** Fewer than two points. */
  TOO_FEW,
  NO_DATA
}
