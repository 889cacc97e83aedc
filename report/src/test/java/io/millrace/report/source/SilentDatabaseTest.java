package io.millrace.report.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.report.Patience;
import io.millrace.report.ReportTestDatabase;
import io.millrace.schedule.DataWindow;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that a database that stops answering blocks no caller forever. */
@Tag("races")
class SilentDatabaseTest {

  private static final DataWindow WEEK =
      new DataWindow(Instant.parse("2026-11-16T00:00:00Z"), Instant.parse("2026-11-23T00:00:00Z"));

  private static SourceQuery query(String sql, Duration limit) {
    return new SourceQuery(sql, WEEK, limit, 10);
  }

  @Test
  void aReadEndsThoughTheNetworkIsLost() throws Exception {
    try (SilencingProxy relay = new SilencingProxy(ReportTestDatabase.server(), "pg_sleep")) {
      JdbcSource source = new JdbcSource("builds", relay.database("public"));
      assertThat(source.read(query("select 7 as n", Patience.LIMIT)).number(0, 0)).isEqualTo(7);
      assertThatThrownBy(() -> source.read(query("select pg_sleep(1)", Duration.ofSeconds(2))))
          .isInstanceOf(SourceException.class)
          .hasMessageContaining("'builds'")
          .hasMessageContaining("I/O error");
      assertThat(relay.isSilent()).isTrue();
    }
  }

  /** The cleanup fails, too, on a lost connection. Its failure must not replace the first one. */
  @Test
  void theFirstCauseIsTold() {
    JdbcSource source = new JdbcSource("builds", ReportTestDatabase.server());
    assertThatThrownBy(() ->
            source.read(query("select pg_terminate_backend(pg_backend_pid())", Patience.LIMIT)))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("terminating connection");
  }

  @Test
  void theLimitOfTheConnectionIsAsBefore() throws SQLException {
    try (Connection connection = ReportTestDatabase.server().getConnection()) {
      connection.setNetworkTimeout(Runnable::run, 4711);
      int within =
          GuardedConnection.use(
              SingleConnection.of(connection),
              Duration.ofSeconds(2),
              Connection::getNetworkTimeout);
      assertThat(within).isEqualTo(3000);
      assertThat(connection.getNetworkTimeout()).isEqualTo(4711);
    }
  }

  @Test
  void aServerThatAcceptsAndSaysNothingIsGivenUp() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      DriverDataSource database =
          new DriverDataSource(
              "jdbc:postgresql://127.0.0.1:" + server.getLocalPort() + "/builds?password=geheim",
              "ada",
              "",
              Duration.ofMillis(500));
      assertThatThrownBy(database::getConnection)
          .isInstanceOf(SQLTimeoutException.class)
          .hasMessageContaining("no connection within 500 ms")
          .message()
          .doesNotContain("geheim");
      try (Socket accepted = server.accept();
          InputStream in = accepted.getInputStream()) {
        assertThat(in.readAllBytes()).as("sent until the driver has closed").isNotNull();
      }
    }
  }
}
