package io.millrace.report;

import io.millrace.instance.InvalidRequestException;
import io.millrace.report.font.FontFolders;
import io.millrace.report.kpi.KpiEvaluator;
import io.millrace.report.kpi.ReportDefinitionException;
import io.millrace.report.mail.ReportMailer;
import io.millrace.report.pdf.PdfReportRenderer;
import io.millrace.report.pdf.ReportTemplates;
import io.millrace.report.store.JdbcResultStore;
import io.millrace.report.store.ReportStore;
import io.millrace.report.store.ResultStore;
import io.millrace.sequence.TaskHandler;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports as tasks of a sequence: {@code KPI} computes figures, {@code PDF} renders them as a
 * document, {@code EMAIL} mails it. The task parameter {@code report} names the report.
 * Thread-safe.
 */
public final class ReportComponent {

  /** Name of the task that computes figures. */
  public static final String KPI = "KPI";

  /** Name of the task that makes the PDF; comes after {@link #KPI}. */
  public static final String PDF = "PDF";

  /** Name of the task that mails the PDF; comes after {@link #PDF}. */
  public static final String EMAIL = "EMAIL";

  /** Task parameter that names the report. */
  public static final String REPORT = "report";

  /** Task parameter with the schedule in words, for mails; may be missing. */
  public static final String SCHEDULE = "schedule";

  private static final Logger LOG = LoggerFactory.getLogger(ReportComponent.class);

  private final Map<String, TaskHandler> tasks = new LinkedHashMap<>();
  private final ReportStore reports;
  private final Map<String, String> titles;
  private final List<String> problems;

  ReportComponent(ReportComponentBuilder from) {
    from.settings.explanations().forEach(LOG::info);
    ReportDefinitions reportDefinitions =
        new ReportDefinitions(from.reports, from.kpis, from.faults);
    problems = reportDefinitions.problems();
    if (!from.fromFolder && !problems.isEmpty()) {
      throw new ReportDefinitionException(problems.getFirst());
    }
    titles = reportDefinitions.titles();
    ResultStore results = results(from);
    reports = new ReportStore(from.database);
    PdfReportRenderer renderer =
        new PdfReportRenderer(
            from.home == null
                ? ReportTemplates.shipped()
                : ReportTemplates.in(from.home.resolve(ReportTemplates.FOLDER)),
            new FontFolders(from.fontFolders()));
    KpiEvaluator evaluator = new KpiEvaluator(from.sources, from.zone, from.faults.hint());
    ReportMailer reportMailer = from.smtp == null ? null : new ReportMailer(from.smtp);
    tasks.put(KPI, new KpiTask(reportDefinitions, evaluator, results));
    tasks.put(PDF, new PdfTask(reportDefinitions, results, renderer, reports, from.zone));
    tasks.put(EMAIL, new EmailTask(reportDefinitions, reports, reportMailer, from.zone));
  }

  private static ResultStore results(ReportComponentBuilder from) {
    String wanted = from.settings.outputDatasource();
    Map<String, ResultStore> stores = new LinkedHashMap<>(from.stores);
    stores.put(ReportSettings.DATABASE, new JdbcResultStore(from.database));
    ResultStore store = stores.get(wanted);
    if (store == null) {
      throw new InvalidRequestException(
          "assessmentReport.outputDatasource is '"
              + wanted
              + "', expected one of "
              + new TreeSet<>(stores.keySet())
              + from.faults.ofSources());
    }
    return store;
  }

  /**
   * Returns a builder of a component that keeps its tables in this database, usually the engine's.
   *
   * @see ReportComponentBuilder
   */
  public static ReportComponentBuilder on(DataSource database) {
    return new ReportComponentBuilder(database);
  }

  /** Returns the three tasks by their names, in the order in which a sequence has them. */
  public Map<String, TaskHandler> tasks() {
    return Collections.unmodifiableMap(tasks);
  }

  /** Returns the names of the three tasks, in order. */
  public static List<String> taskNames() {
    return List.of(KPI, PDF, EMAIL);
  }

  /** Returns the titles of the reports, by report name. */
  public Map<String, String> titles() {
    return Collections.unmodifiableMap(titles);
  }

  /**
   * Returns the faults of the definitions that were read from files, each as a sentence that names
   * the file. Only the reports that use such a definition fail.
   */
  public List<String> problems() {
    return problems;
  }

  /** Returns the finished reports, for downloads. */
  public ReportStore reports() {
    return reports;
  }
}
