package io.millrace.verification.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.EventRecorder;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.store.StoreException;
import io.millrace.verification.fault.PoolKind.OpenPool;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of a failover after which the pool leads to a node that accepts no writes, for a while. */
@Timeout(300)
@Tag("races")
class ReadOnlyDatabaseTest {

  private static final int CONNECTIONS = 8;

  private final TestDatabase database = TestDatabase.emptyPostgres();
  private final EventRecorder events = new EventRecorder();
  private volatile boolean readOnly;

  private DataSource failedOver() {
    return (DataSource)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, args) -> {
              try {
                Object result = method.invoke(database.pool(), args);
                if (result instanceof Connection connection) {
                  set(connection);
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void set(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET default_transaction_read_only = " + (readOnly ? "on" : "off"));
    }
  }

  @Test
  void countsAsAnOutageAndEndsByItself() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    WorkflowDefinition job =
        WorkflowDefinition.of("job")
            .start(
                "work",
                ctx -> {
                  begun.countDown();
                  end.await();
                  return Next.done("done");
                })
            .build();
    try (database;
        Engine engine =
            Engine.builder().dataSource(failedOver()).workflows(job).listener(events).start()) {
      long id = engine.client().start(StartRequest.of("job")).id();
      begun.await();
      readOnly = true;
      end.countDown();
      EngineEvent.SaveDelayed delayed = events.await(EngineEvent.SaveDelayed.class);
      assertThat(delayed.cause())
          .hasMessageContaining("25006")
          .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.rejected()).isFalse());
      readOnly = false;
      assertThat(engine.client().await(id, Duration.ofMinutes(1)).status())
          .isEqualTo(InstanceStatus.FINISHED);
      assertThat(engine.client().history(id))
          .singleElement()
          .satisfies(historyEntry ->
              assertThat(historyEntry.type()).isEqualTo(HistoryEntryType.STATE_EXECUTION));
    }
  }

  /** All sessions of the role end; the next ones can only read, and later ones can write again. */
  @ParameterizedTest
  @EnumSource(PoolKind.class)
  void workGoesOnWithAnyPool(PoolKind kind) throws Exception {
    String role = "failed_over_" + UUID.randomUUID().toString().replace("-", "");
    String schema = database.url().replaceFirst(".*currentSchema=([^&]*).*", "$1");
    WorkflowDefinition quick =
        WorkflowDefinition.of("quick").start("go", ctx -> Next.done("went")).build();
    database.execute("CREATE ROLE " + role + " LOGIN");
    database.execute("GRANT ALL ON SCHEMA " + schema + " TO " + role);
    try (OpenPool pool =
            kind.open(database.url().replaceFirst("user=[^&]*", "user=" + role), CONNECTIONS);
        Engine engine = Engine.builder().dataSource(pool.dataSource()).workflows(quick).start()) {
      database.execute("ALTER ROLE " + role + " SET default_transaction_read_only = on");
      database.execute(
          "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = '"
              + role
              + "'");
      ConditionPoller.await("a start is refused", () -> !starts(engine, "25006"));

      database.execute("ALTER ROLE " + role + " RESET ALL");
      ConditionPoller.await("a start is accepted", () -> starts(engine, ""));
      long id = engine.client().start(StartRequest.of("quick")).id();
      assertThat(engine.client().await(id, Duration.ofMinutes(1)).status())
          .isEqualTo(InstanceStatus.FINISHED);
    } finally {
      database.execute("DROP OWNED BY " + role + " CASCADE");
      database.execute("DROP ROLE " + role);
      database.close();
    }
  }

  /** True if a start succeeds; false if it fails with a message that contains {@code fault}. */
  private static boolean starts(Engine engine, String fault) {
    try {
      engine.client().start(StartRequest.of("quick"));
      return true;
    } catch (StoreException e) {
      return !String.valueOf(e.getMessage()).contains(fault);
    }
  }
}
