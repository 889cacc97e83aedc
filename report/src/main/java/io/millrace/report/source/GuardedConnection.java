package io.millrace.report.source;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work on a connection, which a database that has gone silent does not hold for ever. */
public final class GuardedConnection {

  /** What is done on the connection. */
  @FunctionalInterface
  public interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /** What is done after the work, whether it has failed or not. */
  @FunctionalInterface
  public interface Cleanup {
    void run() throws SQLException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(GuardedConnection.class);

  /** A little more, so that it strikes only when the server does not answer at all. */
  private static final Duration MORE = Duration.ofSeconds(1);

  private GuardedConnection() {}

  /**
   * Runs the work on a connection of its own.
   *
   * @param silence how long the database may take over any answer; a driver that knows no such
   *     limit has none
   */
  public static <T> T use(DataSource database, Duration silence, Work<T> work) throws SQLException {
    int millis = Math.toIntExact(Math.min(silence.plus(MORE).toMillis(), Integer.MAX_VALUE));
    try (Connection connection = database.getConnection()) {
      int before = limitNetwork(connection, millis);
      try {
        return work.run(connection);
      } finally {
        limitNetwork(connection, before);
      }
    }
  }

  /** Answers with the limit before; -1 when the driver knows no such limit. */
  private static int limitNetwork(Connection connection, int millis) {
    if (millis < 0) {
      return millis;
    }
    try {
      int before = connection.getNetworkTimeout();
      connection.setNetworkTimeout(Runnable::run, millis);
      return before;
    } catch (SQLException | UnsupportedOperationException | AbstractMethodError e) {
      LOG.debug("The network timeout was not set", e);
      return -1;
    }
  }

  /** Tidies up; what fails in that must not hide why the work has failed. */
  public static boolean quietly(String what, Cleanup cleanup) {
    try {
      cleanup.run();
      return true;
    } catch (SQLException e) {
      LOG.debug("A connection did not {}", what, e);
      return false;
    }
  }
}
