package io.millrace.report.source;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/** A data source that returns the same connection again and again, as a pool does. */
public final class SingleConnection {

  private SingleConnection() {}

  /**
   * Returns a data source of one connection. Closing what it returns rolls back uncommitted work,
   * and closes nothing.
   */
  public static DataSource of(Connection connection) {
    Connection given =
        proxy(
            Connection.class,
            (self, method, args) -> {
              try {
                if (!method.getName().equals("close")) {
                  return method.invoke(connection, args);
                }
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              if (!connection.getAutoCommit()) {
                connection.rollback();
              }
              return null;
            });
    return proxy(DataSource.class, (self, method, args) -> given);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            SingleConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
