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

  /** The methods for the lock timeout of a session. */
  private record LockTimeout(Method getSession, Method set) {}

  /** The methods for the write delay of a database. */
  private record WriteDelay(Method getSession, Method getDatabase, Method set) {}

  /** Null in a version of H2 without these methods, like {@link #WRITE_DELAY}. */
  private static final @Nullable LockTimeout LOCK_TIMEOUT = findLockTimeout();

  private static final @Nullable WriteDelay WRITE_DELAY = findWriteDelay();

  /** The open databases that write each commit at once, unless the application changed that. */
  private static final Set<Object> WRITING_AT_ONCE =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private H2Driver() {}

  private static @Nullable LockTimeout findLockTimeout() {
    try {
      return new LockTimeout(
          getSession(), driverClass("engine.SessionLocal").getMethod("setLockTimeout", int.class));
    } catch (ReflectiveOperationException | LinkageError e) {
      return null;
    }
  }

  private static @Nullable WriteDelay findWriteDelay() {
    try {
      return new WriteDelay(
          getSession(),
          driverClass("engine.SessionLocal").getMethod("getDatabase"),
          driverClass("engine.Database").getMethod("setWriteDelay", int.class));
    } catch (ReflectiveOperationException | LinkageError e) {
      return null;
    }
  }

  private static Method getSession() throws ReflectiveOperationException {
    return driverClass("jdbc.JdbcConnection").getMethod("getSession");
  }

  private static Class<?> driverClass(String name) throws ClassNotFoundException {
    return Class.forName("org.h2." + name, false, H2Driver.class.getClassLoader());
  }

  /** Sets how long a connection waits for a lock; false where that is out of reach. */
  static boolean setLockTimeout(Connection connection, int millis) throws SQLException {
    if (LOCK_TIMEOUT == null) {
      return false;
    }
    try {
      Object session = session(connection, LOCK_TIMEOUT.getSession, LOCK_TIMEOUT.set);
      if (session == null) {
        return false;
      }
      LOCK_TIMEOUT.set.invoke(session, millis);
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
    if (WRITE_DELAY == null) {
      return;
    }
    try {
      Object session = session(connection, WRITE_DELAY.getSession, WRITE_DELAY.getDatabase);
      if (session == null) {
        return;
      }
      Object database = WRITE_DELAY.getDatabase.invoke(session);
      if (!WRITING_AT_ONCE.contains(database)) {
        // Added afterwards, since another session must not commit between the two.
        WRITE_DELAY.set.invoke(database, 0);
        WRITING_AT_ONCE.add(database);
      }
    } catch (ReflectiveOperationException e) {
      // The database is being closed, which the next statement reports.
    }
  }

  /**
   * Returns the session of a connection in this process; null where that is out of reach.
   *
   * @param method one that a session in this process has
   */
  private static @Nullable Object session(Connection connection, Method getSession, Method method)
      throws SQLException, ReflectiveOperationException {
    Class<?> driver = getSession.getDeclaringClass();
    if (!connection.isWrapperFor(driver)) {
      return null;
    }
    Object session = getSession.invoke(connection.unwrap(driver));
    return method.getDeclaringClass().isInstance(session) ? session : null;
  }
}
