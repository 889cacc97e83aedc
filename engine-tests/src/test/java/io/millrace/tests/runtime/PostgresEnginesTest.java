package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.fixtures.EventRecorder;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import io.millrace.lifecycle.EngineSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of several engines on one database. */
@Timeout(300)
@Tag("races")
class PostgresEnginesTest {

  enum Kind {
    POSTGRES,
    H2
  }

  private final TestDatabase database = TestDatabase.postgres();
  private final EventRecorder events = new EventRecorder();
  private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();

  private final WorkflowDefinition chain =
      WorkflowDefinition.of("chain")
          .start("one", ctx -> run(ctx, "two"))
          .state("two", ctx -> run(ctx, "three"))
          .state("three", ctx -> run(ctx, "end"))
          .end("end")
          .build();

  private Next run(StateContext ctx, String next) {
    runs.computeIfAbsent(ctx.instanceId() + " " + ctx.state(), key -> new AtomicInteger())
        .incrementAndGet();
    return Next.moveTo(next, "done");
  }

  @AfterEach
  void drop() {
    database.close();
  }

  private Engine engine(HikariDataSource pool, UnaryOperator<EngineSettings> settings) {
    return Engine.builder()
        .dataSource(pool)
        .workflows(chain)
        .settings(settings)
        .listener(events)
        .start();
  }

  @ParameterizedTest
  @EnumSource
  void everyInstanceIsFetchedByExactlyOneOfThreeEngines(Kind kind) {
    try (TestDatabase shared = kind == Kind.H2 ? TestDatabase.h2() : TestDatabase.postgres();
        HikariDataSource second = shared.open(6);
        HikariDataSource third = shared.open(6);
        Engine a = engine(shared.pool(), s -> s);
        Engine b = engine(second, s -> s);
        Engine c = engine(third, s -> s)) {
      assertThat(List.of(a.executorId(), b.executorId(), c.executorId())).doesNotHaveDuplicates();
      a.client().startAll(Collections.nCopies(3000, StartRequest.of("chain")));
      awaitFinished(3000);
      assertThat(runs).hasSize(9000);
      assertThat(runs.values()).allMatch(times -> times.get() == 1);
      assertChains(shared, 3000);
    }
  }

  @Test
  void aStartWakesTheSleepingDispatcherOfAnotherProcess() {
    try (HikariDataSource second = database.open(6);
        Engine client = engine(second, s -> s.runsInstances(false));
        Engine worker = engine(database.pool(), s -> s.maxSleep(Duration.ofHours(1)))) {
      assertThat(worker.executorId()).isNotNull();
      long id = client.client().start(StartRequest.of("chain")).id();
      awaitFinished(1);
      assertThat(client.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
    }
  }

  @Test
  void enginesWithoutExecutorDoNotGetWhatAnotherHasReserved() {
    try (HikariDataSource second = database.open(2);
        Engine one = engine(database.pool(), s -> s.runsInstances(false));
        Engine other = engine(second, s -> s.runsInstances(false))) {
      Duration lease = Duration.ofMinutes(15);
      List<Map<String, Integer>> records = List.of(Map.of("id", 1));
      assertThat(one.reduce("shared").key("/id").reserve(lease).reduce(records).changed())
          .hasSize(1);
      assertThat(other.reduce("shared").key("/id").reserve(lease).reduce(records).reserved())
          .isEqualTo(1);
      assertThat(one.reduce("shared").key("/id").reserve(lease).reduce(records).reserved())
          .isEqualTo(1);
    }
  }

  @Test
  void aStartInTheCallersTransactionSharesItsFate() throws SQLException {
    try (HikariDataSource second = database.open(2);
        Engine engine = engine(database.pool(), s -> s.maxSleep(Duration.ofHours(1)));
        Connection connection = second.getConnection()) {
      connection.setAutoCommit(false);
      StartedInstance lost =
          engine.client().start(connection, StartRequest.of("chain").externalId("A"));
      connection.rollback();
      assertThat(engine.client().find(lost.id())).isEmpty();
      StartedInstance kept =
          engine.client().start(connection, StartRequest.of("chain").externalId("A"));
      StartedInstance again =
          engine.client().start(connection, StartRequest.of("chain").externalId("A"));
      assertThat(again).isEqualTo(new StartedInstance(kept.id(), false));
      connection.commit();
      engine.poll();
      awaitFinished(1);
    }
  }

  @Test
  void cutConnectionsCostTimeAndNothingElse() {
    try (HikariDataSource second = database.open(6);
        HikariDataSource third = database.open(2);
        Engine a = engine(database.pool(), s -> s);
        Engine b = engine(second, s -> s)) {
      assertThat(b.executorId()).isNotNull();
      a.client().startAll(Collections.nCopies(2000, StartRequest.of("chain")));
      for (int cut = 1; cut <= 5; cut++) {
        awaitFinished(cut * 300);
        terminateOthers(third);
      }
      awaitFinished(2000);
      assertThat(runs).hasSize(6000);
      assertChains(database, 2000);
    }
  }

  private void terminateOthers(HikariDataSource survivors) {
    try (Connection connection = survivors.getConnection()) {
      connection
          .createStatement()
          .execute(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                  + " AND application_name = current_setting('application_name')");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void awaitFinished(int instances) {
    events.await(
        EngineEvent.TransitionSaved.class,
        instances,
        e -> e.transition().status() == InstanceStatus.FINISHED);
  }

  /**
   * Asserts that histories have no gaps, their steps fit together, and the instances agree with
   * them.
   */
  private static void assertChains(TestDatabase shared, int instances) {
    assertThat(shared.number("SELECT count(*) FROM millrace_instance WHERE status = 'finished'"))
        .isEqualTo(instances);
    assertThat(
            shared.number(
                """
                SELECT count(*) FROM millrace_history a
                LEFT JOIN millrace_history b ON b.instance_id = a.instance_id AND b.seq = a.seq - 1
                WHERE a.from_state <> COALESCE(b.to_state, 'one')
                """))
        .isZero();
    assertThat(
            shared.number(
                """
                SELECT count(*) FROM millrace_instance w
                WHERE w.seq <> (SELECT max(seq) FROM millrace_history a WHERE a.instance_id = w.id)
                   OR w.seq <> (SELECT count(*) FROM millrace_history a WHERE a.instance_id = w.id)
                """))
        .isZero();
  }
}
