package io.millrace.store.sql;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Calls to methods that only the driver of H2 has, by name, since that is an optional dependency.
 */
final class H2Driver {

  private record Methods(
      Method getSession, Method setLockTimeout, Method getDatabase, Method setWriteDelay) {}

  private static final @Nullable Methods DRIVER = find();

  /** The open databases that write each commit at once, unless the application changed that. */
  private static final Set<Object> WRITING_AT_ONCE =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private H2Driver() {}

  private static @Nullable Methods find() {
    ClassLoader loader = H2Driver.class.getClassLoader();
    try {
      Class<?> session = Class.forName("org.h2.engine.SessionLocal", false, loader);
      return new Methods(
          Class.forName("org.h2.jdbc.JdbcConnection", false, loader).getMethod("getSession"),
          session.getMethod("setLockTimeout", int.class),
          session.getMethod("getDatabase"),
          Class.forName("org.h2.engine.Database", false, loader)
              .getMethod("setWriteDelay", int.class));
    } catch (ReflectiveOperationException | LinkageError e) {
      return null;
    }
  }

  /** Sets how long a connection waits for a lock; false where that is out of reach. */
  static boolean setLockTimeout(Connection connection, int millis) throws SQLException {
    try {
      Object session = session(connection);
      if (DRIVER == null || session == null) {
        return false;
      }
      DRIVER.setLockTimeout.invoke(session, millis);
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /**
   * Makes the database write each commit before it returns, once each time it was opened: H2
   * forgets the stored WRITE_DELAY when it opens a file. Does nothing where that is out of reach.
   */
  static void writeCommitsAtOnce(Connection connection) throws SQLException {
    try {
      Object session = session(connection);
      if (DRIVER == null || session == null) {
        return;
      }
      Object database = DRIVER.getDatabase.invoke(session);
      if (!WRITING_AT_ONCE.contains(database)) {
        // Added afterwards, since another session must not commit between the two.
        DRIVER.setWriteDelay.invoke(database, 0);
        WRITING_AT_ONCE.add(database);
      }
    } catch (ReflectiveOperationException e) {
      // The database is being closed, which the next statement reports.
    }
  }

  /** Returns the session of a connection in this process; null where that is out of reach. */
  private static @Nullable Object session(Connection connection)
      throws SQLException, ReflectiveOperationException {
    if (DRIVER == null || !connection.isWrapperFor(DRIVER.getSession.getDeclaringClass())) {
      return null;
    }
    Object session =
        DRIVER.getSession.invoke(connection.unwrap(DRIVER.getSession.getDeclaringClass()));
    return DRIVER.setLockTimeout.getDeclaringClass().isInstance(session) ? session : null;
  }
}
