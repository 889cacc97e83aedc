package io.millrace.report.kpi;

/** One value of a series, for example that of a day. */
public record Point(String label, double value) {}
