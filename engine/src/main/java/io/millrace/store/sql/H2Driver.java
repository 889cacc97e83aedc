package io.millrace.store.sql;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Calls to methods that only the driver of H2 has, by name, since that is an optional dependency.
 */
final class H2Driver {

  private record Methods(Method getSession, Method setLockTimeout) {}

  private static final @Nullable Methods DRIVER = find();

  private H2Driver() {}

  private static @Nullable Methods find() {
    ClassLoader loader = H2Driver.class.getClassLoader();
    try {
      return new Methods(
          Class.forName("org.h2.jdbc.JdbcConnection", false, loader).getMethod("getSession"),
          Class.forName("org.h2.engine.SessionLocal", false, loader)
              .getMethod("setLockTimeout", int.class));
    } catch (ReflectiveOperationException | LinkageError e) {
      return null;
    }
  }

  /** Sets how long a connection waits for a lock; false where that is out of reach. */
  static boolean setLockTimeout(Connection connection, int millis) throws SQLException {
    if (DRIVER == null || !connection.isWrapperFor(DRIVER.getSession.getDeclaringClass())) {
      return false;
    }
    try {
      Object session =
          DRIVER.getSession.invoke(connection.unwrap(DRIVER.getSession.getDeclaringClass()));
      if (!DRIVER.setLockTimeout.getDeclaringClass().isInstance(session)) {
        return false; // of a server
      }
      DRIVER.setLockTimeout.invoke(session, millis);
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }
}
