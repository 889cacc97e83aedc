package io.millrace.springboot;

import io.millrace.store.CallerTransactions;
import io.millrace.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transactions that Spring has bound to the calling thread for one data source: those of the
 * transaction managers for JDBC, and for JPA with Hibernate, which show their connection.
 */
final class SpringTransactions implements CallerTransactions {

  private final DataSource dataSource;
  private final DataSource joining;

  /**
   * @param dataSource the one for which transactions are bound, not a proxy that joins them
   */
  SpringTransactions(DataSource dataSource) {
    this.dataSource = dataSource;
    this.joining = new TransactionAwareDataSourceProxy(dataSource);
  }

  /**
   * A transaction of another resource may be active, in which this data source has no transaction
   * or a connection that commits by itself.
   */
  @Override
  public boolean isActive() {
    if (!TransactionSynchronizationManager.isSynchronizationActive()
        || !TransactionSynchronizationManager.isActualTransactionActive()
        || !(TransactionSynchronizationManager.getResource(dataSource)
            instanceof ConnectionHolder)) {
      return false;
    }
    try (Connection connection = joining.getConnection()) {
      return !connection.getAutoCommit();
    } catch (SQLException e) {
      throw unanswered(e);
    }
  }

  @Override
  public @Nullable Connection connection() {
    try {
      return isActive() ? joining.getConnection() : null;
    } catch (SQLException e) {
      throw unanswered(e);
    }
  }

  @Override
  public void afterCommit(Runnable action) {
    if (isActive()) {
      TransactionSynchronizationManager.registerSynchronization(new AfterCommit(action));
    } else {
      action.run();
    }
  }

  private static StoreException unanswered(SQLException cause) {
    return new StoreException(
        "The connection of the current transaction does not answer: " + cause.getMessage(),
        false,
        cause);
  }

  /**
   * An action after the commit. Listeners of a transaction are called after its commit while its
   * connection is still bound, and nothing would commit what they write there: a listener that
   * starts an instance. It is committed here.
   */
  private final class AfterCommit implements TransactionSynchronization {
    private final Runnable action;
    private boolean called;

    private AfterCommit(Runnable action) {
      this.action = action;
    }

    @Override
    public void afterCommit() {
      called = true;
      action.run();
    }

    @Override
    public void afterCompletion(int status) {
      if (status == STATUS_COMMITTED && !called) {
        commit();
        action.run();
      }
    }

    private void commit() {
      Connection connection = DataSourceUtils.getConnection(dataSource);
      try {
        connection.commit();
      } catch (SQLException e) {
        throw unanswered(e);
      } finally {
        DataSourceUtils.releaseConnection(connection, dataSource);
      }
    }
  }
}
