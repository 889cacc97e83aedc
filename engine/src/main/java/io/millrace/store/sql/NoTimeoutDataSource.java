package io.millrace.store.sql;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections for migrations, on which the timeouts of PostgreSQL and of its driver are off while
 * they are borrowed. A connection is returned to its pool with its original timeouts.
 */
final class NoTimeoutDataSource {

  private static final Logger LOG = LoggerFactory.getLogger(NoTimeoutDataSource.class);

  private static final String READ =
      """
      SELECT name, CURRENT_SETTING(name) AS setting FROM pg_settings
      WHERE name = ANY(?) AND setting <> '0'
      """;

  private static final String SET = "SELECT SET_CONFIG(?, ?, FALSE)";

  private NoTimeoutDataSource() {}

  /** Returns a data source that takes its connections from {@code pool}; any database will do. */
  static DataSource of(DataSource pool) {
    return (DataSource)
        Proxy.newProxyInstance(
            NoTimeoutDataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, args) -> {
              Object answer = invoke(pool, method, args);
              return answer instanceof Connection connection ? untimed(connection) : answer;
            });
  }

  private static Connection untimed(Connection connection) throws SQLException {
    if (!connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
      return connection;
    }
    Map<String, String> timeouts = read(connection);
    int silence = connection.getNetworkTimeout();
    if (timeouts.isEmpty() && silence == 0) {
      return connection;
    }
    set(connection, timeouts, "0");
    connection.setNetworkTimeout(Runnable::run, 0);
    AtomicBoolean closed = new AtomicBoolean();
    return (Connection)
        Proxy.newProxyInstance(
            NoTimeoutDataSource.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, args) -> {
              if (method.getName().equals("close") && closed.compareAndSet(false, true)) {
                restore(connection, timeouts, silence);
              }
              return invoke(connection, method, args);
            });
  }

  private static Map<String, String> read(Connection connection) throws SQLException {
    Map<String, String> found = new LinkedHashMap<>();
    Array names = connection.createArrayOf("text", SessionTimeouts.NAMES.toArray());
    try (PreparedStatement statement = connection.prepareStatement(READ)) {
      statement.setArray(1, names);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.put(rows.getString("name"), rows.getString("setting"));
        }
      }
    }
    return found;
  }

  /**
   * @param value null for the one of each timeout
   */
  private static void set(
      Connection connection, Map<String, String> timeouts, @Nullable String value)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SET)) {
      for (Map.Entry<String, String> timeout : timeouts.entrySet()) {
        statement.setString(1, timeout.getKey());
        statement.setString(2, value == null ? timeout.getValue() : value);
        statement.execute();
      }
    }
    if (!connection.getAutoCommit()) {
      connection.commit();
    }
  }

  private static void restore(
      Connection connection, Map<String, String> timeouts, int networkTimeout) {
    try {
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
      set(connection, timeouts, null);
      connection.setNetworkTimeout(Runnable::run, networkTimeout);
    } catch (SQLException e) {
      LOG.debug("The timeouts of a connection were not restored", e);
    }
  }

  private static @Nullable Object invoke(Object target, Method method, Object @Nullable [] args)
      throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
