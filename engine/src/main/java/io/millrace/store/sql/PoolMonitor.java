package io.millrace.store.sql;

import io.millrace.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * A monitor that takes connections from the pool, and knows whether callers wait for one.
 * Thread-safe.
 */
final class PoolMonitor {

  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong connectionsServed = new AtomicLong();

  /**
   * Returns a connection. Some pools throw exceptions of their own if the database is not
   * available.
   */
  Connection connect(DataSource pool) throws SQLException {
    waiting.incrementAndGet();
    try {
      Connection connection = pool.getConnection();
      connectionsServed.incrementAndGet();
      return connection;
    } catch (RuntimeException e) {
      throw new StoreException("The pool gave no connection: " + e, false, e);
    } finally {
      waiting.decrementAndGet();
    }
  }

  /** Returns true while a caller waits for a connection. */
  boolean isWaiting() {
    return waiting.get() > 0;
  }

  /**
   * Returns the number of connections handed out so far. While it does not grow, all waiting
   * callers starve.
   */
  long connectionsServed() {
    return connectionsServed.get();
  }
}
