package io.millrace.store.sql;

import io.millrace.store.StoreException;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A classification of SQL errors: errors that a retry may fix, and errors of the request itself.
 */
final class SqlErrors {

  private static final String SQL_OF_H2 = "; SQL statement:";
  private static final String UNIQUE_VIOLATION = "23505";

  /**
   * Classes of SQLState that blame the request: feature, data, constraint, syntax or access, limit.
   */
  private static final Set<String> REFUSED = Set.of("0A", "21", "22", "23", "42", "44", "54");

  /**
   * SQLStates of statements that were cancelled after their time limit, got no lock in time, or
   * were rolled back for another; HYT00 is H2's.
   */
  private static final Set<String> BLOCKED =
      Set.of("57014", "55P03", "40P01", "40001", "90131", "HYT00");

  /**
   * SQLStates of conflicts: a deadlock of PostgreSQL; a deadlock of H2, or a serialization failure
   * of either; a row that H2 found changed.
   */
  private static final Set<String> CONFLICT = Set.of("40P01", "40001", "90131");

  private static final String READ_ONLY = "25006";

  /**
   * SQLStates of sessions that were ended by an administrator, by a crash or for idleness, or not
   * accepted yet.
   */
  private static final Set<String> SESSION_ENDED = Set.of("57P01", "57P02", "57P03", "57P05");

  private static final String CONNECTION_CLASS = "08";

  private SqlErrors() {}

  static StoreException translate(String action, SQLException error) {
    StoreException plain = plain(action, error);
    return has(error, BLOCKED::contains) && !plain.rejected()
        ? StoreException.blocked(String.valueOf(plain.getMessage()), error)
        : plain;
  }

  private static StoreException plain(String action, SQLException error) {
    return new StoreException(
        "The database did not "
            + action
            + ": "
            + message(error)
            + " (SQLState "
            + error.getSQLState()
            + ").",
        isRefused(error),
        error);
  }

  /**
   * Returns true if the database rejects the request, so that the same request would fail again.
   */
  static boolean isRefused(SQLException error) {
    return has(error, state -> state.length() == 5 && REFUSED.contains(state.substring(0, 2)));
  }

  /** Returns true if the state of the error, or of one that came with it, matches. */
  private static boolean has(SQLException error, Predicate<String> wanted) {
    for (SQLException e = error; e != null; e = e.getNextException()) {
      String state = e.getSQLState();
      if (state != null && wanted.test(state)) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if the database has rolled back the whole transaction because of another one. */
  static boolean isConflict(SQLException error) {
    return has(error, CONFLICT::contains);
  }

  /** Returns true if the session, or its whole database, is read-only. */
  static boolean isReadOnly(SQLException error) {
    return has(error, READ_ONLY::equals);
  }

  /** Returns the error of a database that rejects a write. */
  static SQLException readOnly() {
    return new SQLException("Its transactions can only read", READ_ONLY);
  }

  /** Returns true if the connection is unusable, while another one may work. */
  static boolean isStale(SQLException error) {
    return has(
        error,
        state ->
            state.startsWith(CONNECTION_CLASS)
                || SESSION_ENDED.contains(state)
                || state.equals(READ_ONLY));
  }

  static boolean isDuplicate(SQLException error) {
    return has(error, UNIQUE_VIOLATION::equals);
  }

  static boolean isDuplicate(StoreException error) {
    return error.getCause() instanceof SQLException cause && isDuplicate(cause);
  }

  private static String withoutSql(SQLException error) {
    String message = String.valueOf(error.getMessage());
    int sql = message.indexOf(SQL_OF_H2);
    return sql < 0 ? message : message.substring(0, sql);
  }

  private static String message(SQLException error) {
    SQLException detail = error.getNextException();
    String message = withoutSql(error);
    return detail == null ? message : message + " " + withoutSql(detail);
  }
}
