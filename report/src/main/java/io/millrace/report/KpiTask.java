package io.millrace.report;

import io.millrace.report.kpi.KpiDefinition;
import io.millrace.report.kpi.KpiEvaluator;
import io.millrace.report.kpi.KpiResult;
import io.millrace.report.store.ResultStore;
import io.millrace.schedule.DataWindow;
import io.millrace.sequence.Chunk;
import io.millrace.sequence.ChunksFailedException;
import io.millrace.sequence.TaskContext;
import io.millrace.sequence.TaskHandler;
import java.util.List;
import java.util.TreeSet;

/** Task that computes the KPIs of a report, each as a chunk, and stores the results. */
final class KpiTask implements TaskHandler {

  private final ReportDefinitions reportDefinitions;
  private final KpiEvaluator evaluator;
  private final ResultStore results;

  KpiTask(ReportDefinitions reportDefinitions, KpiEvaluator evaluator, ResultStore results) {
    this.reportDefinitions = reportDefinitions;
    this.evaluator = evaluator;
    this.results = results;
  }

  @Override
  public void execute(TaskContext task) throws Exception {
    ReportDefinition report = reportDefinitions.report(task);
    List<KpiDefinition> kpis = reportDefinitions.kpis(report);
    results.prepare();
    DataWindow window = task.window();
    ResultStore.Key key = new ResultStore.Key(task.executionId(), report.name(), window);
    try {
      List<Boolean> found =
          task.chunks(
              Boolean.class,
              kpis.stream()
                  .map(kpi -> new Chunk<>(kpi.id(), () -> compute(key, kpi, window)))
                  .toList());
      long empty = found.stream().filter(there -> !there).count();
      task.statusLog(
          "%s KPIs of %s computed%s"
              .formatted(
                  kpis.size(), report.name(), empty == 0 ? "" : ", " + empty + " without data"));
    } catch (ChunksFailedException e) {
      task.statusLog(
          "%s of %s KPIs of %s failed: %s"
              .formatted(
                  e.failures().size(),
                  kpis.size(),
                  report.name(),
                  String.join(", ", new TreeSet<>(e.failures().keySet()))));
      throw e;
    }
  }

  /**
   * Computes and stores one KPI; returns true if there was data. The result is stored before the
   * chunk counts as done.
   */
  private boolean compute(ResultStore.Key key, KpiDefinition kpi, DataWindow window) {
    KpiResult result = evaluator.evaluate(kpi, window);
    results.put(key, result);
    return result.value() != null;
  }
}
