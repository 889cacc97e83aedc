package io.millrace.verification.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.store.StoreException;
import io.millrace.verification.support.EventRecorder;
import io.millrace.verification.support.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** After a failover the pool may lead to a node that takes no writes, for a while. */
@Timeout(300)
@Tag("races")
class ReadOnlyDatabaseTest {

  private final TestDatabase database = TestDatabase.postgres();
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
          .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.refused()).isFalse());
      readOnly = false;
      assertThat(engine.client().await(id, Duration.ofMinutes(1)).status())
          .isEqualTo(InstanceStatus.FINISHED);
      assertThat(engine.client().history(id))
          .singleElement()
          .satisfies(historyEntry ->
              assertThat(historyEntry.type()).isEqualTo(HistoryEntryType.STATE_EXECUTION));
    }
  }
}
