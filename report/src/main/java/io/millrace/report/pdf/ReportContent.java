package io.millrace.report.pdf;

import io.millrace.report.kpi.KpiDefinition;
import io.millrace.report.kpi.KpiResult;
import io.millrace.schedule.DataWindow;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/**
 * Content of a report. Immutable.
 *
 * @param kpis in the order in which they are shown, without those that have no result
 */
public record ReportContent(Heading heading, DataWindow window, ZoneId zone, List<Kpi> kpis) {

  /**
   * Heading of a report.
   *
   * @param report the name of the report
   * @param title the title shown to readers
   */
  public record Heading(String report, String title, long executionId, Instant generatedAt) {}

  /** A KPI with its result. */
  public record Kpi(KpiDefinition definition, KpiResult result) {}

  public ReportContent {
    kpis = List.copyOf(kpis);
  }
}
