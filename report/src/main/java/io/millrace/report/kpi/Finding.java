package io.millrace.report.kpi;

/** Finding of a content rule; each has a message. */
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
  /** The window before had no data. */
  FIRST,
  /** The series has fewer than two points. */
  TOO_FEW,
  NO_DATA
}
