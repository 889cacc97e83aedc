package io.millrace.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a commit on H2 is in the file when it returns, however often the file was opened.
 * Without a pool, H2 closes the database with each connection and opens it again.
 */
final class H2WriteDelayTest {

  private final JdbcDataSource database = new JdbcDataSource();
  private final Jdbc jdbc = new Jdbc(database, Dialects.named("h2"), null);

  @BeforeEach
  void open(@TempDir Path folder) {
    database.setURL("jdbc:h2:file:" + folder.resolve("db"));
    database.setUser("sa");
    jdbc.run(
        "open",
        session -> {
          session.dialect().opened(session);
          return null;
        });
  }

  @Test
  void aTransactionOnADatabaseThatWasOpenedAgainWritesAtOnce() {
    assertThat(jdbc.<Integer>transaction("look", H2WriteDelayTest::writeDelay)).isZero();
  }

  @Test
  void aStatementAloneOnADatabaseThatWasOpenedAgainWritesAtOnce() {
    assertThat(jdbc.<Integer>run("look", H2WriteDelayTest::writeDelay)).isZero();
  }

  @Test
  void aTransactionOfTheCallerOnADatabaseThatWasOpenedAgainWritesAtOnce() throws SQLException {
    try (Connection connection = database.getConnection()) {
      assertThat(jdbc.<Integer>within("look", connection, H2WriteDelayTest::writeDelay)).isZero();
    }
  }

  @Test
  void aDelayThatIsSetOnTheOpenDatabaseStays() throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      jdbc.run("use it once", H2WriteDelayTest::writeDelay);
      statement.execute("SET WRITE_DELAY 2000");
      assertThat(jdbc.<Integer>transaction("look", H2WriteDelayTest::writeDelay)).isEqualTo(2000);
    }
  }

  private static int writeDelay(SqlSession session) throws SQLException {
    SessionLocal local =
        (SessionLocal) session.connection().unwrap(JdbcConnection.class).getSession();
    return local.getDatabase().getWriteDelay();
  }
}
