package io.millrace.store.sql;

import io.millrace.lifecycle.EngineClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of the pool that is reserved for one user, which therefore never waits for the pool.
 * It is returned while the pool is so small that no other user gets a connection. Thread-safe.
 */
final class ReservedConnection implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReservedConnection.class);
  private static final int VALID_SECONDS = 2;
  private static final long UNUSED_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long STARVED_NANOS = Duration.ofSeconds(20).toNanos();
  private static final long YIELD_NANOS = Duration.ofMinutes(10).toNanos();

  private final EngineClock clock = EngineClock.system();
  private final DataSource pool;
  private final PoolMonitor poolMonitor;
  private @Nullable Connection kept;
  private boolean busy;
  private boolean closed;
  private long usedNanos;
  private long served = -1;
  private long servedNanos;
  private @Nullable Long yieldsUntil;

  /**
   * @param poolMonitor the demand of all others for {@code pool}
   */
  ReservedConnection(DataSource pool, PoolMonitor poolMonitor) {
    this.pool = pool;
    this.poolMonitor = poolMonitor;
  }

  /**
   * Returns a data source that hands out the reserved connection, and one of the pool while that is
   * in use.
   */
  DataSource dataSource() {
    return (DataSource)
        Proxy.newProxyInstance(
            ReservedConnection.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, args) -> {
              if (method.getName().equals("getConnection")) {
                return borrow();
              }
              throw new UnsupportedOperationException(method.getName());
            });
  }

  private synchronized Connection borrow() throws SQLException {
    if (busy || closed || yields()) {
      return pool.getConnection();
    }
    Connection present = kept;
    if (present != null && !isUsable(present)) {
      drop();
      present = null;
    }
    if (present == null) {
      present = pool.getConnection();
      kept = present;
    }
    busy = true;
    return lent(present);
  }

  private boolean isUsable(Connection connection) throws SQLException {
    return !connection.isClosed()
        && (clock.nanoTime() - usedNanos < UNUSED_NANOS || connection.isValid(VALID_SECONDS));
  }

  /** Returns true while others need the connection more. */
  private boolean yields() {
    long now = clock.nanoTime();
    Long until = yieldsUntil;
    if (until != null && now - until < 0) {
      return true;
    }
    yieldsUntil = null;
    if (poolMonitor.connectionsServed() != served || !poolMonitor.isWaiting()) {
      served = poolMonitor.connectionsServed();
      servedNanos = now;
    } else if (now - servedNanos > STARVED_NANOS) {
      LOG.warn(
          "The pool has no connection to spare for the heartbeat. Give the pool at least four"
              + " connections, and one for each handler that uses it at the same time");
      yieldsUntil = now + YIELD_NANOS;
      drop();
      return true;
    }
    return false;
  }

  private Connection lent(Connection target) {
    return (Connection)
        Proxy.newProxyInstance(
            ReservedConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, args) -> {
              if (method.getName().equals("close")) {
                release();
                return null;
              }
              try {
                return method.invoke(target, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private synchronized void release() {
    busy = false;
    usedNanos = clock.nanoTime();
    if (closed) {
      drop();
    }
  }

  private void drop() {
    Connection old = kept;
    kept = null;
    if (old != null) {
      try {
        old.close();
      } catch (SQLException e) {
        LOG.debug("A kept connection could not be closed", e);
      }
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (!busy) {
      drop();
    }
  }
}
