package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.StartRequest;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two nodes on one PostgreSQL database: what happens on one is told on the other. */
@Timeout(120)
final class TwoNodesTest {

  private static final String SCHEMA = "server_two_nodes";

  @Test
  void aStreamOfOneNodeTellsWhatHappensOnTheOther() throws IOException, SQLException {
    String url = freshSchema();
    try (TestServer first = TestServer.start(url, 0, "/");
        TestServer second = TestServer.start(url, 0, "/")) {
      long id = first.client().start(StartRequest.of("order")).id();
      second.awaitState(id, "pay");
      try (EventsTest.Stream stream = EventsTest.Stream.open(second.port(), "", "")) {
        Client.Reply deed =
            new Client(first.port()).post("/api/v1/instances/" + id + "/pause", Map.of());
        assertThat(deed.status()).isEqualTo(204);
        stream.awaitChangeOf(id);
      }
      assertThat(new Client(second.port()).get("/api/v1/executors").json()).hasSize(2);
    }
  }

  private static String freshSchema() throws SQLException {
    String url = System.getenv("MILLRACE_TEST_POSTGRES_URL");
    assertThat(url)
        .as(
            "MILLRACE_TEST_POSTGRES_URL names a PostgreSQL database for tests; script/test starts one")
        .isNotNull();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("DROP SCHEMA IF EXISTS " + SCHEMA + " CASCADE");
      statement.execute("CREATE SCHEMA " + SCHEMA);
    }
    return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + SCHEMA;
  }
}
