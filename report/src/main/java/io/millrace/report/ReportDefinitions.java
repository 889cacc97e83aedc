package io.millrace.report;

import io.millrace.report.kpi.KpiDefinition;
import io.millrace.report.kpi.ReportDefinitionException;
import io.millrace.sequence.TaskContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The reports and KPIs by name, with the faults of those that cannot be used. A fault affects only
 * the reports that use the definition. Immutable.
 */
final class ReportDefinitions {

  private final Map<String, ReportDefinition> reports = new LinkedHashMap<>();
  private final Map<String, KpiDefinition> kpis = new LinkedHashMap<>();
  private final ReportDefinitionErrors faults;

  /**
   * Collects definitions, and finds definitions that contradict each other.
   *
   * @param faults the faults found in files; those found here are added
   */
  ReportDefinitions(
      List<ReportDefinition> reports, List<KpiDefinition> kpis, ReportDefinitionErrors faults) {
    this.faults = faults;
    for (KpiDefinition kpi : kpis) {
      if (this.kpis.put(kpi.id(), kpi) != null) {
        faults.kpi(kpi.id(), "There are two KPIs '" + kpi.id() + "'; expected one");
      }
    }
    for (ReportDefinition report : reports) {
      if (this.reports.put(report.name(), report) != null) {
        faults.report(report.name(), "There are two reports '" + report.name() + "'; expected one");
      }
    }
    for (ReportDefinition report : reports) {
      report.kpis().stream()
          .filter(id -> !this.kpis.containsKey(id) && faults.ofKpi(id) == null)
          .forEach(id -> faults.report(report.name(), missing(report, id)));
    }
  }

  private String missing(ReportDefinition report, String id) {
    return "The report '"
        + report.name()
        + "' names the KPI '"
        + id
        + "', which is not defined; expected some of "
        + kpis.keySet();
  }

  /** Returns the report that a task makes, which its parameter {@code report} names. */
  ReportDefinition report(TaskContext task) {
    String name =
        task.parameter(ReportComponent.REPORT, String.class)
            .orElseThrow(() ->
                new ReportDefinitionException(
                    "The sequence '"
                        + task.sequenceId()
                        + "' has no parameter 'report' for its task '"
                        + task.taskName()
                        + "'; expected one of "
                        + reports.keySet()));
    String fault = faults.ofReport(name);
    if (fault != null) {
      throw new ReportDefinitionException(
          "The report '" + name + "' cannot be used. " + end(fault) + faults.hint());
    }
    ReportDefinition report = reports.get(name);
    if (report == null) {
      throw new ReportDefinitionException(
          "There is no report '" + name + "'; expected one of " + reports.keySet() + faults.hint());
    }
    return report;
  }

  /** Returns the text without the period, which a hint may follow. */
  private static String end(String sentence) {
    return sentence.substring(0, sentence.length() - 1);
  }

  /** Returns the faults of all definitions, each as a sentence. */
  List<String> problems() {
    return faults.all();
  }

  /** Returns the titles of the reports, by report name. */
  Map<String, String> titles() {
    Map<String, String> titles = new LinkedHashMap<>();
    reports.forEach((name, report) -> titles.put(name, report.title()));
    return titles;
  }

  /**
   * Returns the active KPIs of a report, in the report's order.
   *
   * @throws ReportDefinitionException when one of them cannot be used
   */
  List<KpiDefinition> kpis(ReportDefinition report) {
    return report.kpis().stream().map(id -> kpi(report, id)).filter(KpiDefinition::active).toList();
  }

  private KpiDefinition kpi(ReportDefinition report, String id) {
    String fault = faults.ofKpi(id);
    KpiDefinition kpi = kpis.get(id);
    if (fault != null || kpi == null) {
      throw new ReportDefinitionException(
          fault == null
              ? missing(report, id) + faults.hint()
              : "The report '"
                  + report.name()
                  + "' uses the KPI '"
                  + id
                  + "', which cannot be used. "
                  + fault);
    }
    return kpi;
  }
}
