package io.millrace.verification.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that short timeouts of the database user cut off no statement of the engine itself. */
@Timeout(300)
@Tag("races")
class SessionTimeoutsTest {

  private static final int CONNECTIONS = 6;
  private static final List<String> TIMEOUTS =
      List.of("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout");

  private final String role = "hasty_" + UUID.randomUUID().toString().replace("-", "");
  private final TestDatabase database = TestDatabase.emptyPostgres();
  private HikariDataSource pool;

  @BeforeEach
  void makeRole() {
    String schema = database.url().replaceFirst(".*currentSchema=([^&]*).*", "$1");
    database.execute("CREATE ROLE " + role + " LOGIN");
    database.execute("GRANT ALL ON SCHEMA " + schema + " TO " + role);
    for (String timeout : TIMEOUTS) {
      database.execute("ALTER ROLE " + role + " SET " + timeout + " = '300ms'");
    }
    pool = new HikariDataSource();
    pool.setJdbcUrl(database.url().replaceFirst("user=[^&]*", "user=" + role) + "&socketTimeout=1");
    pool.setMaximumPoolSize(CONNECTIONS);
  }

  @AfterEach
  void close() {
    pool.close();
    database.execute("DROP OWNED BY " + role + " CASCADE");
    database.execute("DROP ROLE " + role);
    database.close();
  }

  /** Holds a lock until the statement of another session has waited for longer than its timeout. */
  private void whileLocked(String lock, Runnable action) throws Exception {
    CompletableFuture<Void> done;
    try (Connection holder = DriverManager.getConnection(database.url());
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute(lock);
      done = CompletableFuture.runAsync(action, task -> Thread.ofPlatform().start(task));
      ConditionPoller.await(
          "a statement waits for longer than its timeout",
          () -> {
            if (done.isDone()) {
              done.get();
            }
            return database.number(
                    "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                        + " AND usename = '"
                        + role
                        + "' AND clock_timestamp() - query_start > INTERVAL '1500 ms'")
                > 0;
          });
      holder.rollback();
    }
    done.get(60, TimeUnit.SECONDS);
  }

  private void assertThatThePoolIsUnchanged() throws Exception {
    List<Connection> all = new ArrayList<>();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        all.add(pool.getConnection());
      }
      for (Connection connection : all) {
        for (String timeout : TIMEOUTS) {
          try (Statement statement = connection.createStatement();
              ResultSet row = statement.executeQuery("SHOW " + timeout)) {
            row.next();
            assertThat(row.getString(1)).as(timeout).isEqualTo("300ms");
          }
        }
      }
    } finally {
      for (Connection connection : all) {
        connection.close();
      }
    }
  }

  @Test
  void theTablesAreMade() throws Exception {
    SqlStore.open(pool, SqlStore.Options.DEFAULT).close();
    TestMigrations.of(1).apply(pool, SchemaMode.CREATE);

    whileLocked(
        "LOCK TABLE test_item IN ACCESS SHARE MODE",
        () -> TestMigrations.of(2).apply(pool, SchemaMode.CREATE));

    assertThat(database.number("SELECT COUNT(note) FROM test_item")).isEqualTo(1);
    assertThatThePoolIsUnchanged();
  }

  @Test
  void anEngineJoinsAndRunsInstances() throws Exception {
    SqlStore.open(pool, SqlStore.Options.DEFAULT).close();
    WorkflowDefinition quick =
        WorkflowDefinition.of("quick").start("go", ctx -> Next.done("went")).build();
    List<InstanceStatus> ended = new ArrayList<>();
    whileLocked(
        "LOCK TABLE millrace_executor IN EXCLUSIVE MODE",
        () -> {
          try (Engine engine =
              Engine.builder()
                  .dataSource(pool)
                  .workflows(quick)
                  .settings(settings -> settings.concurrency(4))
                  .start()) {
            long id = engine.client().start(StartRequest.of("quick")).id();
            engine.client().await(id, Duration.ofSeconds(30));
            ended.add(engine.client().get(id).position().status());
          }
        });
    assertThat(ended).containsExactly(InstanceStatus.FINISHED);
    assertThatThePoolIsUnchanged();
  }
}
