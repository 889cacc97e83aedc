package io.millrace.report.store;

import static io.millrace.report.source.GuardedConnection.quietly;

import io.millrace.report.source.GuardedConnection;
import io.millrace.report.source.GuardedConnection.Work;
import io.millrace.report.source.SourceException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;

/** Common operations of the two stores in a database. */
final class JdbcTables {

  /** Setter of the parameters of a statement. */
  interface Binder {
    void bind(PreparedStatement statement) throws SQLException;
  }

  /** Time that the database may be silent, unless a test needs less. */
  static final Duration LIMIT = Duration.ofSeconds(30);

  private static final String DUPLICATE = "23505";

  /** SQL states of a missing table or column in PostgreSQL, in H2 and in the standard. */
  private static final Set<String> MISSING =
      Set.of("42P01", "42703", "42S02", "42S03", "42S04", "42S22");

  private final DataSource database;
  private final Duration limit;

  /**
   * @param limit how long the database may be silent
   */
  JdbcTables(DataSource database, Duration limit) {
    this.database = database;
    this.limit = limit;
  }

  /**
   * Runs statements that commit by themselves, also on connections of a pool that leaves commits to
   * its users.
   *
   * @param failure the beginning of the message when the database fails, for example "A row cannot
   *     be read"
   */
  <T> T run(String failure, Work<T> work) {
    try {
      return GuardedConnection.use(database, limit, connection -> committing(connection, work));
    } catch (SQLException e) {
      throw new SourceException(failure + " in the database: " + e.getMessage(), e);
    }
  }

  private static <T> T committing(Connection connection, Work<T> work) throws SQLException {
    if (connection.getAutoCommit()) {
      return work.run(connection);
    }
    connection.setAutoCommit(true);
    try {
      return work.run(connection);
    } finally {
      quietly("leave commits to others again", () -> connection.setAutoCommit(false));
    }
  }

  /** Returns true if there is such a table with this column. */
  static boolean exists(Connection connection, String table, String column) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("select " + column + " from " + table + " where 1 = 0");
      return true;
    } catch (SQLException e) {
      if (MISSING.contains(String.valueOf(e.getSQLState()))) {
        return false;
      }
      throw e;
    }
  }

  /** Replaces a row: both statements take the same parameters in the same order. */
  void replace(String update, String insert, Binder binder) {
    run(
        "A row cannot be stored",
        connection -> {
          if (change(connection, update, binder) > 0) {
            return true;
          }
          try {
            change(connection, insert, binder);
          } catch (SQLException e) {
            if (!DUPLICATE.equals(e.getSQLState())) {
              throw e;
            }
            change(connection, update, binder);
          }
          return true;
        });
  }

  static int change(Connection connection, String sql, Binder binder) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      binder.bind(statement);
      return statement.executeUpdate();
    }
  }
}
