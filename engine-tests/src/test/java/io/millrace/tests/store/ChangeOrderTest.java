package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.Proxies;
import io.millrace.fixtures.TestDatabase;
import io.millrace.store.ChangeStore;
import io.millrace.store.ChangeStore.Change;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that no change appears late in the journal, because a reader continues from the last number
 * it saw.
 */
@Timeout(300)
@Tag("races")
class ChangeOrderTest {

  /**
   * A database.
   *
   * @param patience statement after which new sessions wait for a lock longer than the test runs
   * @param waiting query that counts the sessions that wait for a lock
   */
  record Place(Supplier<TestDatabase> open, String patience, String waiting) {}

  static List<Named<Place>> places() {
    return List.of(
        Named.of(
            "H2",
            new Place(
                TestDatabase::h2,
                "SET DEFAULT_LOCK_TIMEOUT 60000",
                "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE BLOCKER_ID IS NOT NULL")),
        Named.of(
            "PostgreSQL",
            new Place(
                TestDatabase::postgres,
                "SELECT 1",
                "SELECT COUNT(*) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid"
                    + " WHERE NOT l.granted AND a.query LIKE '%millrace_mark%'"
                    + " AND a.datname = current_database()")));
  }

  @ParameterizedTest
  @MethodSource("places")
  void noChangeIsSeenBeforeOneWithASmallerNumber(Place place) throws Exception {
    try (TestDatabase database = place.open.get();
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      SqlStore.open(database.pool(), SqlStore.Options.DEFAULT).close();
      DataSource patient = driver(database.url());
      ChangeStore quick = changes(patient);
      CountDownLatch atCommit = new CountDownLatch(1);
      CountDownLatch mayCommit = new CountDownLatch(1);
      ChangeStore slow =
          changes(
              onCommit(
                  patient,
                  () -> {
                    atCommit.countDown();
                    mayCommit.await();
                  }));
      database.execute(place.patience); // opening a store sets its own
      try {
        Future<Long> first = threads.submit(() -> slow.append("a", "slow"));
        atCommit.await();
        Future<Long> second = threads.submit(() -> quick.append("b", "quick"));
        while (!second.isDone() && database.number(place.waiting) == 0) {
          Thread.onSpinWait();
        }
        assertThat(quick.after(0, 10)).isEmpty();
        assertThat(quick.newest()).isZero();

        mayCommit.countDown();
        assertThat(List.of(first.get(), second.get())).containsExactly(1L, 2L);
        assertThat(quick.after(0, 10)).extracting(Change::payload).containsExactly("slow", "quick");
      } finally {
        mayCommit.countDown();
      }
    }
  }

  /** Returns a data source that opens a connection for each call. */
  private static DataSource driver(String url) {
    return Proxies.proxy(DataSource.class, (method, args) -> DriverManager.getConnection(url));
  }

  private static ChangeStore changes(DataSource database) {
    return SqlStore.open(database, new SqlStore.Options(SchemaMode.VALIDATE, null, false))
        .changes();
  }

  @FunctionalInterface
  private interface Wait {
    void run() throws InterruptedException;
  }

  /** Returns a data source whose connections run an action before each commit of a transaction. */
  private static DataSource onCommit(DataSource target, Wait before) {
    return Proxies.proxy(
        DataSource.class,
        (method, args) -> {
          Object answer = Proxies.invoke(target, method, args);
          return answer instanceof Connection connection ? onCommit(connection, before) : answer;
        });
  }

  private static Connection onCommit(Connection target, Wait before) {
    return Proxies.proxy(
        Connection.class,
        (method, args) -> {
          if (method.getName().equals("commit")) {
            before.run();
          }
          return Proxies.invoke(target, method, args);
        });
  }
}
