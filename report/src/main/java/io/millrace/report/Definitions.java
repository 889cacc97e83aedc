package io.millrace.report;

import io.millrace.report.kpi.DefinitionFault;
import io.millrace.report.kpi.KpiDefinition;
import io.millrace.sequence.TaskContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The reports and KPIs that there are. Immutable. */
final class Definitions {

  private final Map<String, ReportDefinition> reports = new LinkedHashMap<>();
  private final Map<String, KpiDefinition> kpis = new LinkedHashMap<>();

  Definitions(List<ReportDefinition> reports, List<KpiDefinition> kpis) {
    for (KpiDefinition kpi : kpis) {
      if (this.kpis.put(kpi.id(), kpi) != null) {
        throw new DefinitionFault("There are two KPIs '" + kpi.id() + "'; expected one");
      }
    }
    for (ReportDefinition report : reports) {
      if (this.reports.put(report.name(), report) != null) {
        throw new DefinitionFault("There are two reports '" + report.name() + "'; expected one");
      }
      report.kpis().forEach(id -> check(report, id));
    }
  }

  private void check(ReportDefinition report, String id) {
    if (!kpis.containsKey(id)) {
      throw new DefinitionFault(
          "The report '"
              + report.name()
              + "' names the KPI '"
              + id
              + "', which there is none of; expected some of "
              + kpis.keySet());
    }
  }

  /** The report that a task is to make, which its parameter {@code report} names. */
  ReportDefinition report(TaskContext task) {
    String name =
        task.parameter(ReportComponent.REPORT, String.class)
            .orElseThrow(() ->
                new DefinitionFault(
                    "The workflow '"
                        + task.workflowId()
                        + "' has no parameter 'report' for its task '"
                        + task.taskName()
                        + "'; expected one of "
                        + reports.keySet()));
    ReportDefinition report = reports.get(name);
    if (report == null) {
      throw new DefinitionFault(
          "There is no report '" + name + "'; expected one of " + reports.keySet());
    }
    return report;
  }

  /** The titles of the reports by their names. */
  Map<String, String> titles() {
    Map<String, String> titles = new LinkedHashMap<>();
    reports.forEach((name, report) -> titles.put(name, report.title()));
    return titles;
  }

  /** The active KPIs of a report, in its order. */
  List<KpiDefinition> kpis(ReportDefinition report) {
    return report.kpis().stream().map(this::kpi).filter(KpiDefinition::active).toList();
  }

  private KpiDefinition kpi(String id) {
    KpiDefinition kpi = kpis.get(id);
    if (kpi == null) {
      throw new DefinitionFault("There is no KPI '" + id + "'; expected one of " + kpis.keySet());
    }
    return kpi;
  }
}
