package io.millrace.report.source;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs work on a connection with a limit on the silence of the database. */
public final class GuardedConnection {

  /** Work on a connection. */
  @FunctionalInterface
  public interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /** Cleanup after the work, whether or not it has failed. */
  @FunctionalInterface
  public interface Cleanup {
    void run() throws SQLException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(GuardedConnection.class);

  /** Extra time, so that this limit applies only when the server does not answer at all. */
  private static final Duration MORE = Duration.ofSeconds(1);

  private GuardedConnection() {}

  /**
   * Runs the work on a connection of its own.
   *
   * @param silence how long the database may take for any answer; without effect if the driver has
   *     no such limit
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

  /** Sets the network timeout and returns the one before; -1 when the driver has none. */
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

  /** Cleans up. A failure of the cleanup must not hide the failure of the work. */
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
