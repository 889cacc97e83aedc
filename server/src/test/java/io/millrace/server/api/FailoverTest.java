package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.StartRequest;
import io.millrace.server.Polling;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a server whose database accepts no writes for a while. */
@Timeout(300)
@Tag("server")
final class FailoverTest {

  private static final String SCHEMA = "server_failover";
  private static final String ROLE = "server_failover";

  private static final String READY = "/api/v1/health/ready";

  private static void execute(String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(System.getenv("MILLRACE_TEST_POSTGRES_URL"));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Ends all sessions of the database, and decides whether the next ones can write. */
  private static void failOver(boolean writable) throws SQLException {
    execute(
        "ALTER ROLE "
            + ROLE
            + (writable ? " RESET ALL" : " SET default_transaction_read_only = on"));
    if (!writable) {
      execute(
          "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = '"
              + ROLE
              + "'");
    }
  }

  @Test
  void isNotReadyWhileItCanOnlyReadAndGoesOnByItself() throws Exception {
    String url = Postgres.freshSchema(SCHEMA).replaceFirst("user=[^&]*", "user=" + ROLE);
    execute("DROP ROLE IF EXISTS " + ROLE);
    execute("CREATE ROLE " + ROLE + " LOGIN");
    execute("GRANT ALL ON SCHEMA " + SCHEMA + " TO " + ROLE);
    try (TestServer server = TestServer.start(url, 0, "/")) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      failOver(false);
      Polling.until(() -> apiTestClient.get(READY).status(), status -> status == 503);
      assertThat(apiTestClient.get(READY).json().get("detail").stringValue())
          .isEqualTo("The database does not answer, or takes no writes.");
      assertThat(apiTestClient.post("/api/v1/instances", Map.of("type", "order")).status())
          .isEqualTo(503);

      failOver(true);
      Polling.until(() -> apiTestClient.get(READY).status(), status -> status == 200);
      Polling.until(
          () -> apiTestClient.post("/api/v1/instances", Map.of("type", "order")).status(),
          status -> status == 201);
      server.awaitState(server.client().start(StartRequest.of("order")).id(), "pay");
    } finally {
      execute("DROP OWNED BY " + ROLE + " CASCADE");
      execute("DROP ROLE " + ROLE);
    }
  }
}
