package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.fixtures.EventRecorder;
import io.millrace.fixtures.Proxies;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that an open transaction of the application delays only the calls that it blocks. */
@Timeout(300)
@Tag("races")
class OpenTransactionTest {

  enum Kind {
    POSTGRES,
    H2
  }

  private final EventRecorder events = new EventRecorder();

  private final WorkflowDefinition plain =
      WorkflowDefinition.of("plain").start("a", ctx -> Next.done("done")).build();

  private final WorkflowDefinition spawner =
      WorkflowDefinition.of("spawner")
          .start(
              "spawn",
              ctx -> {
                ctx.spawn(StartRequest.of("plain").externalId(ctx.input(String.class)));
                return Next.done("spawned");
              })
          .build();

  private static TestDatabase open(Kind kind) {
    return kind == Kind.POSTGRES ? TestDatabase.postgres() : TestDatabase.h2();
  }

  private Engine engine(DataSource pool) {
    return Engine.builder()
        .dataSource(pool)
        .workflows(plain, spawner)
        .settings(s -> s.drainGrace(Duration.ofSeconds(1)))
        .listener(events)
        .start();
  }

  private static void hold(Engine engine, Connection user, int count) throws SQLException {
    user.setAutoCommit(false);
    for (int i = 0; i < count; i++) {
      engine.client().start(user, StartRequest.of("plain").externalId("taken" + i));
    }
  }

  private static long finished(Engine engine, String type) {
    return engine.client().search(InstanceQuery.all().type(type).limit(200)).items().stream()
        .filter(one -> one.status() == InstanceStatus.FINISHED)
        .count();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void blockedSavesDoNotDelayOthers(Kind kind) throws SQLException {
    try (TestDatabase database = open(kind);
        HikariDataSource second = database.open(2);
        Engine engine = engine(database.pool());
        Connection user = second.getConnection()) {
      hold(engine, user, 20);
      List<StartRequest> spawners =
          IntStream.range(0, 20).mapToObj(i -> StartRequest.of("spawner", "taken" + i)).toList();
      engine.client().startAll(spawners);
      events.await(EngineEvent.SaveDelayed.class);
      for (int i = 0; i < 60; i++) {
        long id = engine.client().start(StartRequest.of("spawner", "free" + i)).id();
        assertThat(engine.client().await(id, Duration.ofSeconds(60)).status())
            .isEqualTo(InstanceStatus.FINISHED);
      }
      assertThat(finished(engine, "spawner")).isEqualTo(60);
      user.rollback();
      events.await(
          EngineEvent.TransitionSaved.class,
          160,
          e -> e.transition().status() == InstanceStatus.FINISHED);
      assertThat(finished(engine, "spawner")).isEqualTo(80);
      assertThat(finished(engine, "plain")).isEqualTo(80);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void blockedStartsDoNotDelayOthers(Kind kind) throws Exception {
    try (TestDatabase database = open(kind);
        HikariDataSource second = database.open(2);
        Engine engine = engine(database.pool());
        Connection user = second.getConnection();
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      hold(engine, user, 30);
      Map<String, StoreException> told = new ConcurrentHashMap<>();
      List<Future<Boolean>> blocked =
          IntStream.range(0, 30)
              .mapToObj(i -> "taken" + i)
              .map(id -> callers.submit(() -> startAtLast(engine, id, told)))
              .toList();
      try {
        for (int i = 0; i < 60 || !areAllTold(blocked, told); i++) {
          engine.client().start(StartRequest.of("plain").externalId("free" + i));
        }
        assertThat(told.values())
            .allSatisfy(fault ->
                assertThat(fault)
                    .hasMessageContaining("'taken")
                    .hasMessageContaining("Retry when that transaction has ended"));
        assertThat(blocked).noneMatch(Future::isDone);
      } finally {
        user.rollback();
      }
      for (Future<Boolean> start : blocked) {
        assertThat(start.get(60, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  /** True if all starts were reported as blocked, or if one has ended, which fails the test. */
  private static boolean areAllTold(List<Future<Boolean>> starts, Map<String, ?> told) {
    return told.size() == starts.size() || starts.stream().anyMatch(Future::isDone);
  }

  /** Repeats a start until nothing blocks it, and records the earlier exceptions. */
  private static boolean startAtLast(
      Engine engine, String externalId, Map<String, StoreException> told) {
    while (true) {
      try {
        return engine.client().start(StartRequest.of("plain").externalId(externalId)).created();
      } catch (StoreException e) {
        if (!e.blocked()) {
          throw e;
        }
        told.put(externalId, e);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aBlockedStartFindsTheInstanceOfAShortTransaction(Kind kind) throws SQLException {
    AtomicBoolean blocked = new AtomicBoolean();
    try (TestDatabase database = open(kind);
        HikariDataSource second = database.open(2);
        Connection user = second.getConnection();
        Engine engine =
            engine(
                afterBlockedInsert(
                    database.pool(),
                    () -> {
                      blocked.set(true);
                      user.commit();
                    }))) {
      hold(engine, user, 1);

      assertThat(engine.client().start(StartRequest.of("plain").externalId("taken0")).created())
          .isFalse();
      assertThat(blocked).isTrue();
    }
  }

  @FunctionalInterface
  private interface Then {
    void run() throws SQLException;
  }

  /**
   * Returns a data source that runs an action when the database has abandoned an insert of
   * instances.
   */
  private static DataSource afterBlockedInsert(DataSource pool, Then then) {
    return Proxies.proxy(
        DataSource.class,
        (method, args) -> {
          Object answer = Proxies.invoke(pool, method, args);
          return answer instanceof Connection connection
              ? afterBlockedInsert(connection, then)
              : answer;
        });
  }

  private static Connection afterBlockedInsert(Connection connection, Then then) {
    return Proxies.proxy(
        Connection.class,
        (method, args) -> {
          Object answer = Proxies.invoke(connection, method, args);
          return answer instanceof PreparedStatement statement
                  && String.valueOf(args[0]).contains("INSERT INTO millrace_instance (")
              ? afterBlockedInsert(statement, then)
              : answer;
        });
  }

  private static PreparedStatement afterBlockedInsert(PreparedStatement statement, Then then) {
    return Proxies.proxy(
        PreparedStatement.class,
        (method, args) -> {
          try {
            return Proxies.invoke(statement, method, args);
          } catch (SQLException e) {
            then.run();
            throw e;
          }
        });
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aBlockedSaveDoesNotKeepTheEngineFromClosing(Kind kind) throws SQLException {
    try (TestDatabase database = open(kind);
        HikariDataSource second = database.open(2);
        Connection user = second.getConnection()) {
      long id;
      try (Engine engine = engine(database.pool())) {
        hold(engine, user, 1);
        id = engine.client().start(StartRequest.of("spawner", "taken0")).id();
        events.await(EngineEvent.SaveDelayed.class);
      }
      user.rollback();
      try (Engine engine = engine(second)) {
        assertThat(engine.client().await(id, Duration.ofSeconds(60)).status())
            .isEqualTo(InstanceStatus.FINISHED);
        assertThat(engine.client().get(id).children().total()).isEqualTo(1);
      }
    }
  }
}
