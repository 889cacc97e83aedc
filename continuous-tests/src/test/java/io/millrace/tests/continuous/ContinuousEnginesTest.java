package io.millrace.tests.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.definition.Next;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.ProcessTicker;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ContinuousStore.Filter;
import io.millrace.store.ContinuousStore.LogEntry;
import io.millrace.store.ContinuousStore.LogEntryType;
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
@Tag("races")
class ContinuousEnginesTest {

  /** Number of workflows that count. */
  private static final int WORKFLOWS = 5;

  /** Number up to which each workflow counts. */
  private static final int EVENTS = 150;

  private static ContinuousWorkflow[] workflows() {
    return IntStream.range(0, WORKFLOWS)
        .mapToObj(i ->
            ContinuousWorkflow.of("count" + i, new CountingTrigger(EVENTS, Duration.ofMillis(20)))
                .handler((context, event) -> Next.done("counted")))
        .toArray(ContinuousWorkflow[]::new);
  }

  private static Engine engine(DataSource pool) {
    return Engine.builder().dataSource(pool).continuous(workflows()).start();
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
    return rows.size() == WORKFLOWS && rows.stream().allMatch(condition);
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
                row -> row.activity().fires() == EVENTS && row.activity().executionId() == null));
    for (StoredContinuousWorkflow row : rows(engine)) {
      List<WorkflowInstance> executions =
          engine
              .client()
              .search(InstanceQuery.all().type(row.name()).limit(InstanceQuery.MAX_LIMIT))
              .items();
      Set<String> keys =
          executions.stream().map(one -> one.origin().externalId()).collect(Collectors.toSet());
      assertThat(executions).hasSize(EVENTS);
      assertThat(keys)
          .isEqualTo(
              IntStream.rangeClosed(1, EVENTS)
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
        for (StoredContinuousWorkflow row : rows(heir)) {
          assertThat(heir.continuous().log(row.name(), null, 100))
              .extracting(LogEntry::type)
              .contains(LogEntryType.RELEASED);
          assertThat(heir.continuous().downtime(row.name(), Duration.ofDays(1)))
              .isLessThan(Duration.ofSeconds(3));
        }
      }
    }
  }
}
