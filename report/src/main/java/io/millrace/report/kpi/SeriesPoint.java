package io.millrace.report.kpi;

/** One value of a series, for example that of a day. */
public record SeriesPoint(String label, double value) {}
