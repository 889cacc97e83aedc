package io.millrace.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.server.Main;
import io.millrace.server.security.GeneratedLogin;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the command {@code millrace demo}. */
@Timeout(300)
@Tag("server")
class DemoCommandTest {

  @TempDir private Path folder;

  /** Creates an empty history in a database that rejects the sequences of the calendar. */
  private void refuseSequences(Path repository) throws SQLException {
    String url;
    try (Demo demo = Demo.open(folder, repository, EngineRuntime.system())) {
      url = demo.settings().get("database.url");
    }
    JdbcConnectionPool pool = JdbcConnectionPool.create(url, "demo", "");
    SqlStore.open(pool, new SqlStore.Options(SchemaMode.CREATE, null, false)).close();
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "ALTER TABLE millrace_sequence ADD CONSTRAINT nothing_daily"
              + " CHECK (sequence_id <> 'Shop_daily')");
      statement.execute("SHUTDOWN");
    } finally {
      pool.dispose();
    }
  }

  @Test
  void itsFirstWordsCanBePasted() {
    DemoCredentials access =
        new DemoCredentials(
            new GeneratedLogin("demo", "secret"),
            "abc",
            Path.of("/home/o'hara/a b/data/demo/api-key"));

    String welcome =
        DemoCommand.welcome("http://127.0.0.1:7501/", access, Path.of("inbox"), "script/millrace");

    assertThat(welcome)
        .contains("http://127.0.0.1:7501/#login=abc   (within")
        .contains("secret")
        .contains(
            "export MILLRACE_URL=http://127.0.0.1:7501/"
                + " MILLRACE_API_KEY_FILE='/home/o'\\''hara/a b/data/demo/api-key'\n")
        .contains("\n  script/millrace failures\n");
  }

  private static ServerSocket listen(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }

  @Test
  void whatCannotBeginLeavesNoServerBehind() throws Exception {
    Path repository = folder.resolve("none");
    refuseSequences(repository);
    int port;
    try (ServerSocket free = listen(0)) {
      port = free.getLocalPort();
    }
    StringWriter err = new StringWriter();
    int code =
        Main.run(
            new PrintWriter(new StringWriter()),
            new PrintWriter(err),
            "demo",
            "--no-trickle",
            "--port=" + port,
            "--data=" + folder,
            "--repository=" + repository);
    assertThat(code).isEqualTo(Main.FAILED);
    assertThat(err.toString()).containsIgnoringCase("nothing_daily");
    assertThatCode(() -> listen(port).close())
        .as("nothing listens at its port any more")
        .doesNotThrowAnyException();
  }
}
