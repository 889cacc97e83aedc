package io.millrace.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.WorkflowClient;
import io.millrace.instance.Deed;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.report.ReportComponent;
import io.millrace.sequence.Sequences;
import io.millrace.sequence.Task;
import io.millrace.server.demo.shop.Office;
import io.millrace.server.report.Reports;
import io.millrace.store.ScheduleStore.LastExecution;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is on the calendar of the demo. */
@Timeout(120)
final class AgendaTest {

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir private Path folder;

  private static void await(WorkflowClient client, String type, InstanceStatus wanted) {
    List<WorkflowInstance> found = client.search(InstanceQuery.all().type(type)).items();
    assertThat(found).isNotEmpty();
    found.forEach(
        one -> assertThat(client.await(one.id(), PATIENCE).position().status()).isEqualTo(wanted));
  }

  private static InstanceStatus ended(Engine engine, String workflowId) {
    LastExecution last = engine.sequences().get(workflowId).last();
    assertThat(last).as("the execution of " + workflowId).isNotNull();
    return engine.client().await(last.executionId(), PATIENCE).position().status();
  }

  @Test
  void itHasAPastAPauseAndSomethingToMend() {
    JdbcConnectionPool pool =
        JdbcConnectionPool.create("jdbc:h2:mem:agenda;DB_CLOSE_DELAY=-1", "sa", "");
    EngineBuilder builder = Engine.builder().dataSource(pool);
    new Office(folder).addTo(builder);
    try (Engine engine = builder.start()) {
      Sequences sequences = engine.sequences();
      Agenda agenda = new Agenda(sequences, Instant.now());
      agenda.open();
      await(engine.client(), "millrace-backfill", InstanceStatus.FINISHED);
      assertThat(sequences.fires(Agenda.DAILY, null, 100)).hasSize(14);
      assertThat(sequences.fires(Agenda.RATES, null, 100)).hasSizeGreaterThanOrEqualTo(36);
      assertThat(sequences.fires(Agenda.STOCK, null, 100)).hasSizeBetween(9, 10);
      assertThat(sequences.history(Agenda.RATES, null, 100).items())
          .as("now and then the bank does not answer")
          .anyMatch(execution -> execution.retries() > 0);
      assertThat(sequences.get(Agenda.NEWSLETTER).flags().pausedBy()).isEqualTo("carla");

      assertThat(ended(engine, Agenda.ARCHIVE)).isEqualTo(InstanceStatus.FAILED);
      agenda.open();
      assertThat(sequences.list(null, null, null, 100)).as("nothing is added twice").hasSize(5);

      sequences.resumeSchedule(Agenda.NEWSLETTER);
      sequences.activate(Agenda.RATES, false);
      agenda.open();
      assertThat(sequences.get(Agenda.NEWSLETTER).flags().pausedBy()).isNull();
      assertThat(sequences.get(Agenda.RATES).flags().active()).isFalse();
      sequences.remove(Agenda.NEWSLETTER);
      agenda.open();
      assertThat(sequences.get(Agenda.NEWSLETTER).flags().pausedBy()).isEqualTo("carla");
    } finally {
      pool.dispose();
    }
  }

  @Test
  void theReportOfAStartIsLeftOutWhileItIsPausedOrNotActive() {
    JdbcConnectionPool pool =
        JdbcConnectionPool.create("jdbc:h2:mem:agenda-report;DB_CLOSE_DELAY=-1", "sa", "");
    try (Engine engine =
        Engine.builder()
            .dataSource(pool)
            .task(Task.of(ReportComponent.KPI, Reports.TYPE), task -> task.statusLog("figures"))
            .task(Task.of(ReportComponent.PDF, Reports.TYPE), task -> task.statusLog("pages"))
            .start()) {
      Sequences sequences = engine.sequences();
      Agenda agenda = new Agenda(sequences, Instant.now());
      agenda.report();
      assertThat(ended(engine, Agenda.REPORT)).isEqualTo(InstanceStatus.FINISHED);

      sequences.pause(Agenda.REPORT, Deed.by("carla", "the figures are not ready"));
      agenda.report();
      assertThat(reports(engine)).as("while it is paused").isOne();
      sequences.resumeSchedule(Agenda.REPORT);
      sequences.activate(Agenda.REPORT, false);
      agenda.report();
      assertThat(reports(engine)).as("while it is not active").isOne();
      sequences.activate(Agenda.REPORT, true);
      agenda.report();
      assertThat(reports(engine)).isEqualTo(2);
    } finally {
      pool.dispose();
    }
  }

  @Test
  void holidaysAreOnWorkingDays() {
    for (int day = 21; day <= 27; day++) {
      LocalDate date = Agenda.workday(LocalDate.of(2026, 11, day));
      assertThat(date.getDayOfWeek()).isBetween(DayOfWeek.MONDAY, DayOfWeek.FRIDAY);
    }
    assertThat(Agenda.workday(LocalDate.of(2026, 11, 28))).isEqualTo("2026-11-30");
  }

  private static int reports(Engine engine) {
    return engine.client().search(InstanceQuery.all().type(Reports.TYPE)).items().size();
  }
}
