package io.millrace.tests.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.continuous.ContinuousWorkflowService;
import io.millrace.fixtures.ChildJvm;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.ProcessTicker;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ContinuousStore.Event;
import io.millrace.store.ContinuousStore.EventType;
import io.millrace.store.ContinuousStore.Filter;
import io.millrace.store.StoredContinuousWorkflow;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of engines that share continuous workflows on a real PostgreSQL, at default settings. */
@Timeout(300)
@Tag("kills")
class ContinuousEnginesTest {

  private static Engine engine(DataSource pool) {
    return Engine.builder().dataSource(pool).continuous(ContinuousProcess.workflows()).start();
  }

  /**
   * Returns the time until a condition holds, counting only time in which this process could run.
   */
  private static Duration lived(String what, Callable<Boolean> condition) throws Exception {
    try (ProcessTicker processTicker = ProcessTicker.start()) {
      ConditionPoller.await(what, condition);
      return processTicker.runTime();
    }
  }

  private static List<StoredContinuousWorkflow> rows(Engine engine) {
    return engine.continuous().list(Filter.ALL, null, 100);
  }

  private static boolean all(Engine engine, Predicate<StoredContinuousWorkflow> condition) {
    List<StoredContinuousWorkflow> rows = rows(engine);
    return rows.size() == ContinuousProcess.WORKFLOWS && rows.stream().allMatch(condition);
  }

  private static boolean isOwnedBy(StoredContinuousWorkflow row, Engine engine) {
    return engine.executorId() != null && engine.executorId().equals(row.ownership().executorId());
  }

  private static void awaitAllEvents(Engine engine) throws Exception {
    ConditionPoller.await(
        "all events are over",
        () ->
            all(
                engine,
                row ->
                    row.activity().fires() == ContinuousProcess.EVENTS
                        && row.activity().executionId() == null));
    for (StoredContinuousWorkflow row : rows(engine)) {
      List<WorkflowInstance> executions =
          engine
              .client()
              .search(InstanceQuery.all().type(row.name()).limit(InstanceQuery.MAX_LIMIT))
              .items();
      Set<String> keys =
          executions.stream().map(one -> one.origin().externalId()).collect(Collectors.toSet());
      assertThat(executions).hasSize(ContinuousProcess.EVENTS);
      assertThat(keys)
          .isEqualTo(
              IntStream.rangeClosed(1, ContinuousProcess.EVENTS)
                  .mapToObj(n -> row.name() + "|n" + n)
                  .collect(Collectors.toSet()));
    }
  }

  @Test
  void aClosedEngineHandsOverWithinThreeSecondsAndNoEventIsLostOrDoubled() throws Exception {
    try (TestDatabase database = TestDatabase.postgres();
        HikariDataSource second = database.open(6)) {
      Engine first = engine(database.pool());
      ConditionPoller.await(
          "all have fired",
          () -> all(first, row -> isOwnedBy(row, first) && row.activity().fires() > 5));
      try (Engine heir = engine(second)) {
        first.close();
        Duration took = lived("the heir has all", () -> all(heir, row -> isOwnedBy(row, heir)));
        System.out.println("Hand-over took " + took.toMillis() + " ms");
        assertThat(took).isLessThan(Duration.ofSeconds(3));
        assertThat(rows(heir)).allMatch(row -> "HAND_OVER".equals(row.run().reason()));
        awaitAllEvents(heir);
        assertDowntime(heir.continuous(), EventType.RELEASED, Duration.ofSeconds(3));
      }
    }
  }

  @Test
  void aKilledProcessIsReplacedWithinFifteenSecondsAndNoEventIsLostOrDoubled() throws Exception {
    try (TestDatabase database = TestDatabase.postgres();
        ChildJvm victim = ChildJvm.start(ContinuousProcess.class, database.url())) {
      victim.await(1, "READY");
      try (Engine client =
          Engine.builder()
              .dataSource(database.pool())
              .settings(settings -> settings.autostart(false))
              .start()) {
        ConditionPoller.await(
            "all have fired", () -> all(client, row -> row.activity().fires() > 5));
      }
      try (HikariDataSource second = database.open(6);
          Engine heir = engine(second)) {
        victim.kill();
        Duration took = lived("the heir has all", () -> all(heir, row -> isOwnedBy(row, heir)));
        System.out.println("Take-over took " + took.toMillis() + " ms");
        assertThat(took).isLessThan(Duration.ofSeconds(15));
        assertThat(rows(heir)).allMatch(row -> "FAILOVER".equals(row.run().reason()));
        awaitAllEvents(heir);
        assertDowntime(heir.continuous(), EventType.LOST, Duration.ofSeconds(15));
      }
    }
  }

  private static void assertDowntime(
      ContinuousWorkflowService workflows, EventType type, Duration limit) {
    for (int i = 0; i < ContinuousProcess.WORKFLOWS; i++) {
      String name = "count" + i;
      assertThat(workflows.events(name, null, 100)).extracting(Event::type).contains(type);
      assertThat(workflows.downtime(name, Duration.ofDays(1))).isLessThan(limit);
    }
  }
}
