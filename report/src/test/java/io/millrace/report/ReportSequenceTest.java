package io.millrace.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.instance.OperatorAction;
import io.millrace.report.source.TestGitRepository;
import io.millrace.report.store.StoredReport;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskContext;
import io.millrace.sequence.TaskHandler;
import io.millrace.sequence.TaskSequence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the tasks of a report, run by the engine. */
class ReportSequenceTest {

  @Test
  void theEngineRunsAReportAsASequence(@TempDir Path folder) throws Exception {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:report-sequence;DB_CLOSE_DELAY=-1");
    CompletableFuture<Long> done = new CompletableFuture<>();
    try (TestGitRepository repository = TestGitRepository.twoWeeks(folder.resolve("mill"))) {
      // docs:sequence
      ReportComponent component =
          ReportComponent.on(database).weeklyReport(repository.folder(), "The mill", null).build();
      Map<String, TaskHandler> tasks = component.tasks();
      TaskSequence weekly =
          TaskSequence.of("Report_mill", "Report", Schedule.of(Frequency.WEEKLY))
              .task(ReportComponent.KPI)
              .task(ReportComponent.PDF)
              .parameter(ReportComponent.REPORT, "weekly-report");
      // docs:end
      try (Engine engine =
          Engine.builder()
              .dataSource(database)
              .settings(s -> s.lease(Duration.ofMinutes(3), Duration.ofSeconds(2)))
              .task(Task.of(ReportComponent.KPI, "Report"), tasks.get(ReportComponent.KPI))
              .task(Task.of(ReportComponent.PDF, "Report"), tasks.get(ReportComponent.PDF))
              .task(
                  Task.of("DONE", "Report"),
                  (TaskContext task) -> done.complete(task.executionId()))
              .sequence(weekly.task("DONE"))
              .start()) {
        long execution =
            engine
                .sequences()
                .run("Report_mill", Map.of(), OperatorAction.by("ann", "to see the report"));
        assertThat(done.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(execution);
        StoredReport report = component.reports().find(execution).orElseThrow();
        assertThat(report.title()).isEqualTo("The mill");
        assertThat(report.content()).startsWith('%', 'P', 'D', 'F');
      }
    }
  }
}
