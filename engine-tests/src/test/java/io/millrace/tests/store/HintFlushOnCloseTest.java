package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.Proxies;
import io.millrace.fixtures.TestDatabase;
import io.millrace.store.Store;
import io.millrace.store.sql.SqlStore;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of a program that starts an instance, closes its engine and then its pool. */
@Timeout(300)
@Tag("races")
class HintFlushOnCloseTest {

  private final List<String> events = new CopyOnWriteArrayList<>();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  /**
   * Returns a data source that blocks the sender of hints at its connection, and records when it
   * closes the connection.
   */
  private DataSource watched(DataSource pool) {
    return Proxies.proxy(
        DataSource.class,
        (method, args) -> {
          boolean hint = Thread.currentThread().getName().equals("millrace-hint-sender");
          if (hint) {
            asked.countDown();
            release.await();
          }
          Object answer = Proxies.invoke(pool, method, args);
          return hint ? noted((Connection) answer) : answer;
        });
  }

  private Connection noted(Connection connection) {
    return Proxies.proxy(
        Connection.class,
        (method, args) -> {
          Object answer = Proxies.invoke(connection, method, args);
          if (method.getName().equals("close")) {
            events.add("hint sent");
          }
          return answer;
        });
  }

  @Test
  void aStoreIsClosedOnlyWhenItsLastHintIsSent() throws InterruptedException {
    try (TestDatabase database = TestDatabase.postgres()) {
      Store store = SqlStore.open(watched(database.pool()), SqlStore.Options.DEFAULT);
      store.hints().publish("group");
      asked.await();

      Thread closer =
          Thread.ofPlatform()
              .start(() -> {
                store.close();
                events.add("closed");
              });
      while (closer.isAlive() && closer.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      release.countDown();
      closer.join();

      assertThat(events).containsExactly("hint sent", "closed");
    }
  }
}
