package io.millrace.store.sql;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Wrapper;
import org.jspecify.annotations.Nullable;

/**
 * Functions that only PostgreSQL and its driver have. The driver is optional, so it is called by
 * reflection.
 */
final class PostgresDriver {

  /** A receiver of notifications. */
  @FunctionalInterface
  interface Receiver {
    void receive(String channel, String payload);
  }

  private record Methods(
      Method getNotifications, Method getName, Method getParameter, Method setPrepareThreshold) {}

  private static final @Nullable Methods DRIVER = find();

  private PostgresDriver() {}

  private static @Nullable Methods find() {
    ClassLoader loader = PostgresDriver.class.getClassLoader();
    try {
      Class<?> notification = Class.forName("org.postgresql.PGNotification", false, loader);
      return new Methods(
          Class.forName("org.postgresql.PGConnection", false, loader)
              .getMethod("getNotifications", int.class),
          notification.getMethod("getName"),
          notification.getMethod("getParameter"),
          Class.forName("org.postgresql.PGStatement", false, loader)
              .getMethod("setPrepareThreshold", int.class));
    } catch (ReflectiveOperationException | LinkageError e) {
      return null;
    }
  }

  /**
   * Makes the database plan a statement for its values each time. A plan from the time when a table
   * was nearly empty reads all of it when it has grown, until the next ANALYZE.
   */
  static void planEachTime(Statement statement) throws SQLException {
    if (DRIVER != null && has(statement, DRIVER.setPrepareThreshold)) {
      call(statement, DRIVER.setPrepareThreshold, 0);
    }
  }

  /**
   * Ends the session of a connection, beneath all wrappers of its pool. Returns false for another
   * driver's.
   */
  static boolean abort(Connection connection) throws SQLException {
    if (DRIVER == null || !has(connection, DRIVER.getNotifications)) {
      return false;
    }
    Object physical = connection.unwrap(DRIVER.getNotifications.getDeclaringClass());
    if (!(physical instanceof Connection session)) {
      return false;
    }
    session.abort(Runnable::run);
    return true;
  }

  /** Returns true if the connection can deliver notifications. */
  static boolean canListen(Connection connection) throws SQLException {
    return DRIVER != null && has(connection, DRIVER.getNotifications);
  }

  /** Sends a notification when the connection's transaction commits. */
  static void notify(Connection connection, String channel, String payload) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
      statement.setString(1, channel);
      statement.setString(2, payload);
      statement.execute();
    }
  }

  /** Waits for notifications and passes them on. Returns when some came or the time is over. */
  static void listen(Connection connection, int timeoutMillis, Receiver receiver)
      throws SQLException {
    if (DRIVER == null
        || !(call(connection, DRIVER.getNotifications, timeoutMillis) instanceof Object[] found)) {
      return;
    }
    for (Object notification : found) {
      receiver.receive(
          String.valueOf(invoke(notification, DRIVER.getName)),
          String.valueOf(invoke(notification, DRIVER.getParameter)));
    }
  }

  private static boolean has(Wrapper wrapper, Method method) throws SQLException {
    return wrapper.isWrapperFor(method.getDeclaringClass());
  }

  private static @Nullable Object call(Wrapper wrapper, Method method, Object argument)
      throws SQLException {
    return invoke(wrapper.unwrap(method.getDeclaringClass()), method, argument);
  }

  private static @Nullable Object invoke(Object target, Method method, Object... arguments)
      throws SQLException {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof SQLException cause) {
        throw cause;
      }
      throw new IllegalStateException("The driver failed in " + method, e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("The driver does not let " + method + " be called", e);
    }
  }
}
