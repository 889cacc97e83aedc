package io.millrace.store.sql;

import io.millrace.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs work on connections of the data source, which may hand them out with or without automatic
 * commit.
 */
final class Jdbc {

  /** What is done on one connection. */
  @FunctionalInterface
  interface Work<T> {
    T run(Session session) throws SQLException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(Jdbc.class);

  /**
   * Over the limit of a statement, so that it strikes only when the server does not answer at all.
   */
  private static final int NETWORK_TIMEOUT_MILLIS = 45_000;

  private final DataSource dataSource;
  private final Dialect dialect;
  private final @Nullable InstantSource clock;
  private final Map<String, NamedSql> parsed = new ConcurrentHashMap<>();

  /**
   * @param clock the time in place of the database's own; null for the database's own
   */
  Jdbc(DataSource dataSource, Dialect dialect, @Nullable InstantSource clock) {
    this.dataSource = dataSource;
    this.dialect = dialect;
    this.clock = clock;
  }

  Dialect dialect() {
    return dialect;
  }

  @Nullable InstantSource clock() {
    return clock;
  }

  /**
   * Runs statements that need no common transaction.
   *
   * @param action what it does, for messages: "The database did not ..."
   */
  <T> T run(String action, Work<T> work) {
    return onConnection(action, work, false);
  }

  /** Runs statements in one transaction. */
  <T> T transaction(String action, Work<T> work) {
    return onConnection(action, work, true);
  }

  /** Runs statements in a transaction that belongs to the caller. */
  <T> T within(String action, Connection connection, Work<T> work) {
    try {
      return work.run(new Session(connection, this));
    } catch (SQLException e) {
      throw SqlErrors.translate(action, e);
    }
  }

  NamedSql named(String sql) {
    return parsed.computeIfAbsent(
        sql, text -> NamedSql.parse(text, clock == null ? dialect.now() : null));
  }

  private <T> T onConnection(String action, Work<T> work, boolean transaction) {
    try (Connection connection = connect()) {
      int before = limitNetwork(connection, NETWORK_TIMEOUT_MILLIS);
      try {
        return onConnection(connection, work, transaction);
      } finally {
        limitNetwork(connection, before);
      }
    } catch (SQLException e) {
      throw SqlErrors.translate(action, e);
    }
  }

  /** Some pools throw exceptions of their own when the database is away. */
  private Connection connect() throws SQLException {
    try {
      return dataSource.getConnection();
    } catch (RuntimeException e) {
      throw new StoreException("The pool gave no connection: " + e, false, e);
    }
  }

  private <T> T onConnection(Connection connection, Work<T> work, boolean transaction)
      throws SQLException {
    boolean automatic = connection.getAutoCommit();
    if (automatic && !transaction) {
      return work.run(new Session(connection, this));
    }
    if (automatic) {
      connection.setAutoCommit(false);
    }
    boolean open = true;
    try {
      T result = work.run(new Session(connection, this));
      connection.commit();
      open = false;
      return result;
    } finally {
      // Switching back to automatic commit commits an open transaction, so it must be known to be
      // over.
      if (open) {
        open = !quietly("roll back", connection::rollback);
      }
      if (automatic && !open) {
        quietly("switch back to automatic commit", () -> connection.setAutoCommit(true));
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
      if (before != millis) {
        connection.setNetworkTimeout(Runnable::run, millis);
      }
      return before;
    } catch (SQLException e) {
      LOG.debug("The network timeout was not set", e);
      return -1;
    }
  }

  private static boolean quietly(String action, Cleanup cleanup) {
    try {
      cleanup.run();
      return true;
    } catch (SQLException e) {
      LOG.debug("A connection did not {}", action, e);
      return false;
    }
  }

  @FunctionalInterface
  private interface Cleanup {
    void run() throws SQLException;
  }
}
