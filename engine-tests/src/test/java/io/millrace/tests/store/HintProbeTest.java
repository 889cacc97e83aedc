package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.Proxies;
import io.millrace.fixtures.TestDatabase;
import io.millrace.store.HintChannel;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlDoctor;
import io.millrace.store.sql.SqlStore;
import io.millrace.tests.support.CapturedLog;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a store behind a pooler in transaction mode notices the loss of its notifications. */
@Timeout(300)
@Tag("races")
class HintProbeTest {

  private static final String WARNING = "Notifications do not arrive";

  private final TestDatabase database = TestDatabase.postgres();
  private final AtomicInteger hints = new AtomicInteger();
  private volatile boolean pooled = true;

  @AfterEach
  void close() {
    database.close();
  }

  /**
   * Returns connections whose LISTEN goes to another session, as with PgBouncer in transaction
   * mode.
   */
  private DataSource pooler(Connection server) {
    return Proxies.proxy(
        DataSource.class,
        (method, args) -> {
          Object answer = Proxies.invoke(database.pool(), method, args);
          return answer instanceof Connection client ? pooled(client, server) : answer;
        });
  }

  private Connection pooled(Connection client, Connection server) {
    return Proxies.proxy(
        Connection.class,
        (method, args) -> {
          Object answer = Proxies.invoke(client, method, args);
          return answer instanceof Statement statement && method.getName().equals("createStatement")
              ? pooled(statement, server)
              : answer;
        });
  }

  private Statement pooled(Statement statement, Connection server) {
    return Proxies.proxy(
        Statement.class,
        (method, args) -> {
          if (pooled && args != null && args[0].toString().startsWith("LISTEN")) {
            try (Statement elsewhere = server.createStatement()) {
              return elsewhere.execute(args[0].toString());
            }
          }
          return Proxies.invoke(statement, method, args);
        });
  }

  private static int count(String text, String part) {
    return text.split(part, -1).length - 1;
  }

  @Test
  void aLostProbeIsAWarningUntilOneArrives() throws Exception {
    try (Connection server = DriverManager.getConnection(database.url());
        CapturedLog log = new CapturedLog();
        SqlStore store = SqlStore.open(pooler(server), SqlStore.Options.DEFAULT);
        HintChannel.Subscription hint = store.hints().subscribe("group", hints::incrementAndGet)) {
      ConditionPoller.await("the loss is noticed", () -> !store.hints().isDelivering());
      assertThat(count(log.text(), WARNING)).isEqualTo(1);
      assertThat(log.text()).contains("Work of other processes is found by polling");
      int before = hints.get();

      pooled = false;
      database.lines(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
              + " AND application_name = (SELECT application_name FROM pg_stat_activity"
              + " WHERE pid = pg_backend_pid())");

      ConditionPoller.await("notifications arrive", () -> store.hints().isDelivering());
      ConditionPoller.await("work is looked for", () -> hints.get() > before);
      assertThat(count(log.text(), WARNING)).isEqualTo(1);
      assertThat(hint).isNotNull();
    }
  }

  @Test
  void theDoctorListensAsANodeDoes() throws Exception {
    try (Connection server = DriverManager.getConnection(database.url())) {
      SqlDoctor.Check lost = notifications(pooler(server));
      assertThat(lost.level()).isEqualTo(SqlDoctor.Level.WARN);
      assertThat(lost.finding()).contains("did not arrive").contains("polling");
      assertThat(lost.advice()).contains("session mode");

      pooled = false;
      assertThat(notifications(pooler(server)).level()).isEqualTo(SqlDoctor.Level.OK);
    }
  }

  private static SqlDoctor.Check notifications(DataSource pool) {
    return SqlDoctor.examine(
            pool, new SqlDoctor.Intent(SchemaMode.CREATE, 4), InstantSource.system())
        .stream()
        .filter(check -> check.name().equals("notifications"))
        .findFirst()
        .orElseThrow();
  }
}
