package io.millrace.store.sql;

import io.millrace.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** Takes connections out of the pool, and tells whether any are to be had. Thread-safe. */
final class PoolMonitor {

  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong connectionsServed = new AtomicLong();

  /** Some pools throw exceptions of their own when the database is away. */
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

  /** True while somebody waits for a connection. */
  boolean isWaiting() {
    return waiting.get() > 0;
  }

  /** How many connections have been given out; while this stands still, all who wait starve. */
  long connectionsServed() {
    return connectionsServed.get();
  }
}
