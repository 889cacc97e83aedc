package io.millrace.verification.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.fixtures.EventRecorder;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a pool which is too small makes the engine slow and has no other effect. */
@Timeout(300)
@Tag("races")
class SingleConnectionPoolTest {

  private static final int INSTANCES = 20;

  private final EventRecorder events = new EventRecorder();
  private final CountDownLatch release = new CountDownLatch(1);

  static Stream<Arguments> databases() {
    Supplier<TestDatabase> h2 = TestDatabase::h2;
    Supplier<TestDatabase> postgres = TestDatabase::postgres;
    return Stream.of(
        Arguments.of("H2", h2, 1),
        Arguments.of("H2", h2, 2),
        Arguments.of("PostgreSQL", postgres, 1),
        Arguments.of("PostgreSQL", postgres, 2));
  }

  private WorkflowDefinition parent() {
    return WorkflowDefinition.of("parent")
        .start(
            "spawn",
            ctx -> {
              ctx.spawn(StartRequest.of("child"));
              ctx.set("v", ctx.instanceId());
              return Next.waitForChildren("end", "spawned");
            })
        .state("end", ctx -> Next.done("done"))
        .build();
  }

  private WorkflowDefinition child() {
    return WorkflowDefinition.of("child")
        .start("one", ctx -> Next.moveTo("two", "on"))
        .state("two", ctx -> Next.done("done"))
        .build();
  }

  private WorkflowDefinition patient() {
    return WorkflowDefinition.of("patient")
        .start(
            "wait",
            ctx -> {
              release.await();
              return Next.done("done");
            })
        .build();
  }

  @ParameterizedTest(name = "{0} with {2}")
  @MethodSource("databases")
  void theEngineStartsAndWorks(String name, Supplier<TestDatabase> databases, int connections)
      throws SQLException {
    try (TestDatabase database = databases.get();
        HikariDataSource pool = database.open(connections)) {
      pool.setConnectionTimeout(1_000);
      try (Engine engine =
          Engine.builder()
              .dataSource(pool)
              .workflows(parent(), child(), patient())
              .listener(events)
              .start()) {
        engine.client().startAll(Collections.nCopies(INSTANCES, StartRequest.of("parent")));
        awaitFinished(2 * INSTANCES);
        assertThat(
                database.number("SELECT count(*) FROM millrace_instance WHERE status = 'finished'"))
            .isEqualTo(2 * INSTANCES);
        bearsThatAllConnectionsAreTaken(engine, pool, connections);
      }
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }
  }

  private void bearsThatAllConnectionsAreTaken(
      Engine engine, HikariDataSource pool, int connections) throws SQLException {
    long id = engine.client().start(StartRequest.of("patient")).id();
    events.await(EngineEvent.AttemptStarted.class, 1, e -> e.instanceId() == id);
    List<Connection> taken = new ArrayList<>();
    try {
      while (taken.size() < connections) {
        taken.add(take(pool));
      }
      release.countDown();
      EngineEvent.SaveDelayed delayed = events.await(EngineEvent.SaveDelayed.class);
      assertThat(delayed.cause())
          .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.rejected()).isFalse());
    } finally {
      for (Connection connection : taken) {
        connection.close();
      }
    }
    assertThat(engine.client().await(id, Duration.ofMinutes(1)).status())
        .isEqualTo(InstanceStatus.FINISHED);
  }

  /** Acquires a connection; the engine competes for it, so this may take several attempts. */
  private static Connection take(HikariDataSource pool) throws SQLException {
    SQLException last = null;
    for (int attempt = 0; attempt < 20; attempt++) {
      try {
        return pool.getConnection();
      } catch (SQLException e) {
        last = e;
      }
    }
    throw last;
  }

  private void awaitFinished(int instances) {
    events.await(
        EngineEvent.TransitionSaved.class,
        instances,
        e -> e.transition().status() == InstanceStatus.FINISHED);
  }
}
