package io.millrace.store.sql;

import io.millrace.lifecycle.EngineRuntime;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A runner of work on connections of a pool. Unusable connections leave the pool, and work that the
 * database rolled back because of a conflict is retried. Thread-safe.
 */
public final class PooledConnections {

  /** A piece of work on one connection, which may be retried on another. */
  @FunctionalInterface
  public interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /** A source of connections. */
  @FunctionalInterface
  interface Source {
    Connection get() throws SQLException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(PooledConnections.class);

  /**
   * Maximum number of read-only connections before it fails: a read-only database must not be asked
   * without end.
   */
  private static final int MAX_READ_ONLY = 3;

  /**
   * Time in which closed connections are retried: some pools hand out a connection whose session
   * was ended, until they have been told.
   */
  private static final Duration CLOSED_LIMIT = Duration.ofSeconds(1);

  private final DataSource pool;
  private final EngineRuntime runtime;
  private final ReentrantLock turns = new ReentrantLock(true);

  public PooledConnections(DataSource pool) {
    this(pool, EngineRuntime.system());
  }

  PooledConnections(DataSource pool, EngineRuntime runtime) {
    this.pool = pool;
    this.runtime = runtime;
  }

  /**
   * Runs work on a connection of the pool. It is retried if the database rolled it back because of
   * another transaction, and on other connections if this one is read-only.
   *
   * @param limit the time after which nothing is retried
   */
  public <T> T run(Duration limit, Work<T> work) throws SQLException {
    return run(pool::getConnection, limit, work);
  }

  <T> T run(Source source, Duration limit, Work<T> work) throws SQLException {
    int readOnly = 0;
    try (ConflictBackoff backoff = new ConflictBackoff(runtime, limit, turns)) {
      while (true) {
        try {
          return runOnce(source, work);
        } catch (SQLException e) {
          boolean repeatable =
              SqlErrors.isReadOnly(e)
                  ? readOnly++ < MAX_READ_ONLY
                  : SqlErrors.isConflict(e) && backoff.pause();
          if (!repeatable) {
            throw e;
          }
          LOG.debug("Repeating what the database did not do", e);
        }
      }
    }
  }

  /** Runs work that must not be retried. */
  public <T> T runOnce(Work<T> work) throws SQLException {
    return runOnce(pool::getConnection, work);
  }

  private <T> T runOnce(Source source, Work<T> work) throws SQLException {
    try (Connection connection = open(source)) {
      try {
        return work.run(connection);
      } catch (SQLException e) {
        if (SqlErrors.isStale(e)) {
          discard(connection, e);
        }
        throw e;
      }
    }
  }

  private Connection open(Source source) throws SQLException {
    Connection connection = source.get();
    if (!connection.isClosed()) {
      return connection;
    }
    ConflictBackoff backoff = new ConflictBackoff(runtime, CLOSED_LIMIT);
    while (connection.isClosed() && backoff.pause()) {
      connection.close();
      connection = source.get();
    }
    return connection;
  }

  /**
   * Ends the session, so that the pool makes a new one. Pools notice that in different ways: when
   * the connection is returned, from an error of another call, or only by an explicit call.
   */
  private void discard(Connection connection, SQLException cause) {
    LOG.debug("Discarding a connection", cause);
    try {
      if (PostgresDriver.abort(connection)) {
        connection.setAutoCommit(true);
      }
    } catch (SQLException | RuntimeException e) {
      LOG.debug("The discarded connection is closed", e);
    }
    AgroalPool.flush(pool);
  }
}
