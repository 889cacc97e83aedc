package io.millrace.store;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of an application that the calls of a client join: those that a framework has
 * bound to the calling thread. Thread-safe.
 */
public interface CallerTransactions {

  /** Transactions of applications that pass their connections themselves. */
  CallerTransactions NONE =
      new CallerTransactions() {
        @Override
        public boolean isActive() {
          return false;
        }

        @Override
        public @Nullable Connection connection() {
          return null;
        }

        @Override
        public void afterCommit(Runnable action) {
          action.run();
        }
      };

  /** Returns true if the calling thread has a transaction of the engine's database. */
  boolean isActive();

  /**
   * Returns a connection in the transaction of the calling thread; null if it has none. Closing the
   * connection leaves the transaction as it is.
   *
   * @throws StoreException if the connection does not answer
   */
  @Nullable Connection connection();

  /**
   * Runs an action after the transaction of the calling thread has committed, and not if it is
   * rolled back; at once if the thread has none.
   */
  void afterCommit(Runnable action);
}
