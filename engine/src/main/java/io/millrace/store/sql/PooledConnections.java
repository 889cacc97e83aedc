package io.millrace.store.sql;

import io.millrace.lifecycle.EngineRuntime;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work on connections of a pool, repeated if the database undid it to let others pass. */
public final class PooledConnections {

  /** Work on one connection, which may be repeated on another. */
  @FunctionalInterface
  public interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /** Where connections come from. */
  @FunctionalInterface
  interface Source {
    Connection get() throws SQLException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(PooledConnections.class);

  private final DataSource pool;
  private final EngineRuntime runtime;

  public PooledConnections(DataSource pool) {
    this(pool, EngineRuntime.system());
  }

  PooledConnections(DataSource pool, EngineRuntime runtime) {
    this.pool = pool;
    this.runtime = runtime;
  }

  /**
   * Runs work on a connection of the pool. It is repeated if the database undid it because of
   * another transaction.
   *
   * @param limit the time after which nothing is repeated
   */
  public <T> T run(Duration limit, Work<T> work) throws SQLException {
    return run(pool::getConnection, limit, work);
  }

  <T> T run(Source source, Duration limit, Work<T> work) throws SQLException {
    ConflictBackoff backoff = new ConflictBackoff(runtime, limit);
    while (true) {
      try {
        return runOnce(source, work);
      } catch (SQLException e) {
        if (!SqlErrors.isConflict(e) || !backoff.pause()) {
          throw e;
        }
        LOG.debug("Repeating what the database did not do", e);
      }
    }
  }

  private static <T> T runOnce(Source source, Work<T> work) throws SQLException {
    try (Connection connection = source.get()) {
      return work.run(connection);
    }
  }
}
