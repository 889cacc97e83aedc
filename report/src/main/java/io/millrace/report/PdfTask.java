package io.millrace.report;

import io.millrace.report.kpi.KpiDefinition;
import io.millrace.report.kpi.KpiResult;
import io.millrace.report.pdf.PdfReportRenderer;
import io.millrace.report.pdf.RenderedReport;
import io.millrace.report.pdf.ReportContent;
import io.millrace.report.pdf.ReportContent.Heading;
import io.millrace.report.pdf.ReportContent.Kpi;
import io.millrace.report.source.SourceException;
import io.millrace.report.source.WindowDays;
import io.millrace.report.store.ReportStore;
import io.millrace.report.store.ResultStore;
import io.millrace.report.store.StoredReport;
import io.millrace.sequence.TaskContext;
import io.millrace.sequence.TaskHandler;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Task that renders the results of an execution as a PDF, and stores it. */
final class PdfTask implements TaskHandler {

  private static final Logger LOG = LoggerFactory.getLogger(PdfTask.class);

  private static final String FONTS =
      "Install a font that has them, for example the packages fonts-noto-core, fonts-noto-cjk and"
          + " fonts-symbola of Debian, or put its file into the folder 'fonts' of the home folder.";

  private final ReportDefinitions reportDefinitions;
  private final ResultStore results;
  private final PdfReportRenderer renderer;
  private final ReportStore reports;
  private final ZoneId zone;

  PdfTask(
      ReportDefinitions reportDefinitions,
      ResultStore results,
      PdfReportRenderer renderer,
      ReportStore reports,
      ZoneId zone) {
    this.reportDefinitions = reportDefinitions;
    this.results = results;
    this.renderer = renderer;
    this.reports = reports;
    this.zone = zone;
  }

  @Override
  public boolean cpuBound() {
    return true;
  }

  @Override
  public void execute(TaskContext task) {
    ReportDefinition report = reportDefinitions.report(task);
    results.prepare();
    reports.prepare();
    Instant now = task.now();
    Heading heading = new Heading(report.name(), report.title(), task.executionId(), now);
    List<Kpi> kpis = kpis(report, task.executionId());
    RenderedReport rendered =
        renderer.render(new ReportContent(heading, task.window(), zone, kpis), report.template());
    byte[] pdf = rendered.pdf();
    String note = rendered.note();
    if (!note.isEmpty()) {
      LOG.warn("The report '{}': {} {}", report.name(), note, FONTS);
    }
    task.cancelToken().throwIfCancelled();
    String day = WindowDays.of(task.window(), zone).getLast().toString();
    String fileName = report.name() + "-" + day + ".pdf";
    reports.put(
        new StoredReport(
            task.executionId(),
            task.sequenceId(),
            report.name(),
            report.title(),
            fileName,
            now,
            pdf));
    task.setResult("reportFile", fileName);
    task.statusLog(
        "%s with %s KPIs, %s KiB%s"
            .formatted(
                fileName,
                kpis.size(),
                (pdf.length + 1023) / 1024,
                note.isEmpty() ? "" : ". " + note));
  }

  private List<Kpi> kpis(ReportDefinition report, long executionId) {
    Map<String, KpiResult> found = new HashMap<>();
    results.find(executionId).forEach(result -> found.put(result.kpiId(), result));
    List<Kpi> kpis = new ArrayList<>();
    List<String> lost = new ArrayList<>();
    for (KpiDefinition definition : reportDefinitions.kpis(report)) {
      KpiResult result = found.get(definition.id());
      if (result == null) {
        lost.add(definition.id());
      } else {
        kpis.add(new Kpi(definition, result));
      }
    }
    if (!lost.isEmpty()) {
      throw new SourceException(
          "The execution "
              + executionId
              + " has no results of the KPIs "
              + lost
              + " of the report '"
              + report.name()
              + "', though one is kept even where there is no data; expected the task KPI for this"
              + " report before the task PDF. Restart the sequence, which computes them again.");
    }
    return kpis;
  }
}
