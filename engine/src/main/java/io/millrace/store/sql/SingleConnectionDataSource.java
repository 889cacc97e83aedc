package io.millrace.store.sql;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source with a single connection, which all callers share. */
final class SingleConnectionDataSource {

  private SingleConnectionDataSource() {}

  /**
   * Returns a data source that hands out {@code connection}, which stays open when it is returned.
   */
  static DataSource of(Connection connection) {
    Connection shared =
        proxy(
            Connection.class,
            (method, call) -> method.equals("close") ? null : call.on(connection));
    return proxy(
        DataSource.class,
        (method, call) -> {
          if (method.equals("getConnection")) {
            return shared;
          }
          throw new UnsupportedOperationException(method);
        });
  }

  @FunctionalInterface
  private interface Call {
    @Nullable Object on(Object target) throws Throwable;
  }

  @FunctionalInterface
  private interface Handler {
    @Nullable Object handle(String method, Call call) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            SingleConnectionDataSource.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, args) ->
                handler.handle(
                    method.getName(),
                    target -> {
                      try {
                        return method.invoke(target, args);
                      } catch (InvocationTargetException e) {
                        throw e.getCause();
                      }
                    })));
  }
}
