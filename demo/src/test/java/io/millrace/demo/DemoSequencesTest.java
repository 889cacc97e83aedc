package io.millrace.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.WorkflowClient;
import io.millrace.demo.shop.OfficeTasks;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.WorkflowInstance;
import io.millrace.report.ReportComponent;
import io.millrace.sequence.SequenceService;
import io.millrace.sequence.Task;
import io.millrace.server.report.ReportService;
import io.millrace.store.SequenceStore.LastExecution;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import io.millrace.testing.ManualEngine;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.function.UnaryOperator;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the sequences on the demo's calendar. */
final class DemoSequencesTest {

  private static final Instant NOW = DemoHistory.END;

  /** Limit on the engine's clock, so no real time passes. */
  private static final Duration LIMIT = Duration.ofHours(1);

  @TempDir private Path folder;

  private static ManualEngine start(JdbcConnectionPool pool, UnaryOperator<EngineBuilder> more) {
    return ManualEngine.with(
        ManualEngine.defaultSettings(),
        clock -> {
          clock.set(NOW);
          return SqlStore.open(pool, new SqlStore.Options(SchemaMode.CREATE, clock, false));
        },
        more);
  }

  private static void await(WorkflowClient client, String type, InstanceStatus wanted) {
    List<WorkflowInstance> found = client.search(InstanceQuery.all().type(type)).items();
    assertThat(found).isNotEmpty();
    found.forEach(
        one -> assertThat(client.await(one.id(), LIMIT).position().status()).isEqualTo(wanted));
  }

  private static InstanceStatus ended(Engine engine, String sequenceId) {
    LastExecution last = engine.sequences().get(sequenceId).last();
    assertThat(last).as("the execution of " + sequenceId).isNotNull();
    return engine.client().await(last.executionId(), LIMIT).position().status();
  }

  @Test
  void itHasAPastAPauseAndSomethingToMend() {
    JdbcConnectionPool pool =
        JdbcConnectionPool.create("jdbc:h2:mem:agenda;DB_CLOSE_DELAY=-1", "sa", "");
    try (ManualEngine manual =
        start(
            pool,
            builder -> {
              new OfficeTasks(folder).addTo(builder);
              return builder;
            })) {
      Engine engine = manual.engine();
      SequenceService sequenceService = engine.sequences();
      DemoSequences demoSequences = new DemoSequences(sequenceService, NOW);
      demoSequences.open();
      await(engine.client(), "millrace-backfill", InstanceStatus.FINISHED);
      assertThat(sequenceService.slotRecords(DemoSequences.DAILY, null, 100)).hasSize(14);
      assertThat(sequenceService.slotRecords(DemoSequences.RATES, null, 100))
          .hasSizeGreaterThanOrEqualTo(36);
      assertThat(sequenceService.slotRecords(DemoSequences.STOCK, null, 100)).hasSizeBetween(9, 10);
      assertThat(sequenceService.history(DemoSequences.RATES, null, 100).items())
          .as("now and then the bank does not answer")
          .anyMatch(execution -> execution.retries() > 0);
      assertThat(sequenceService.get(DemoSequences.NEWSLETTER).flags().pausedBy())
          .isEqualTo("carla");

      assertThat(ended(engine, DemoSequences.ARCHIVE)).isEqualTo(InstanceStatus.FAILED);
      demoSequences.open();
      assertThat(sequenceService.list(null, null, null, 100))
          .as("nothing is added twice")
          .hasSize(5);

      sequenceService.resumeSchedule(DemoSequences.NEWSLETTER);
      sequenceService.activate(DemoSequences.RATES, false);
      demoSequences.open();
      assertThat(sequenceService.get(DemoSequences.NEWSLETTER).flags().pausedBy()).isNull();
      assertThat(sequenceService.get(DemoSequences.RATES).flags().active()).isFalse();
      sequenceService.remove(DemoSequences.NEWSLETTER);
      demoSequences.open();
      assertThat(sequenceService.get(DemoSequences.NEWSLETTER).flags().pausedBy())
          .isEqualTo("carla");
    } finally {
      pool.dispose();
    }
  }

  @Test
  void theReportOfAStartIsLeftOutWhileItIsPausedOrNotActive() {
    JdbcConnectionPool pool =
        JdbcConnectionPool.create("jdbc:h2:mem:agenda-report;DB_CLOSE_DELAY=-1", "sa", "");
    try (ManualEngine manual =
        start(
            pool,
            builder ->
                builder
                    .task(
                        Task.of(ReportComponent.KPI, ReportService.TYPE),
                        task -> task.statusLog("figures"))
                    .task(
                        Task.of(ReportComponent.PDF, ReportService.TYPE),
                        task -> task.statusLog("pages")))) {
      Engine engine = manual.engine();
      SequenceService sequenceService = engine.sequences();
      DemoSequences demoSequences = new DemoSequences(sequenceService, NOW);
      demoSequences.report();
      assertThat(ended(engine, DemoSequences.REPORT)).isEqualTo(InstanceStatus.FINISHED);

      sequenceService.pause(
          DemoSequences.REPORT, OperatorAction.by("carla", "the figures are not ready"));
      demoSequences.report();
      assertThat(reports(engine)).as("while it is paused").isOne();
      sequenceService.resumeSchedule(DemoSequences.REPORT);
      sequenceService.activate(DemoSequences.REPORT, false);
      demoSequences.report();
      assertThat(reports(engine)).as("while it is not active").isOne();
      sequenceService.activate(DemoSequences.REPORT, true);
      demoSequences.report();
      assertThat(reports(engine)).isEqualTo(2);
    } finally {
      pool.dispose();
    }
  }

  @Test
  void holidaysAreOnWorkingDays() {
    for (int day = 21; day <= 27; day++) {
      LocalDate date = DemoSequences.workday(LocalDate.of(2026, 11, day));
      assertThat(date.getDayOfWeek()).isBetween(DayOfWeek.MONDAY, DayOfWeek.FRIDAY);
    }
    assertThat(DemoSequences.workday(LocalDate.of(2026, 11, 28))).isEqualTo("2026-11-30");
  }

  private static int reports(Engine engine) {
    return engine.client().search(InstanceQuery.all().type(ReportService.TYPE)).items().size();
  }
}
