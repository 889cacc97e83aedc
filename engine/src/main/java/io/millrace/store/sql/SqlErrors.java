package io.millrace.store.sql;

import io.millrace.store.StoreException;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.Predicate;

/** Tells errors that trying again may cure from those of the request itself. */
final class SqlErrors {

  private static final String SQL_OF_H2 = "; SQL statement:";
  private static final String UNIQUE_VIOLATION = "23505";

  /**
   * Classes of SQLState that blame the request: feature, data, constraint, syntax or access, limit.
   */
  private static final Set<String> REFUSED = Set.of("0A", "21", "22", "23", "42", "44", "54");

  /** Cancelled after its time limit, no lock in time, undone for another; HYT00 is H2's. */
  private static final Set<String> BLOCKED =
      Set.of("57014", "55P03", "40P01", "40001", "90131", "HYT00");

  /**
   * A deadlock of PostgreSQL; one of H2, or a transaction of either that cannot be serialized; a
   * row that H2 found changed.
   */
  private static final Set<String> CONFLICT = Set.of("40P01", "40001", "90131");

  private static final String READ_ONLY = "25006";

  /** Ended by an administrator, by a crash or for idleness, or not let in yet. */
  private static final Set<String> SESSION_ENDED = Set.of("57P01", "57P02", "57P03", "57P05");

  private static final String CONNECTION_CLASS = "08";

  private SqlErrors() {}

  static StoreException translate(String action, SQLException error) {
    StoreException plain = plain(action, error);
    return has(error, BLOCKED::contains) && !plain.refused()
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

  /** True when the database objects to the request, so that the same request would fail again. */
  static boolean isRefused(SQLException error) {
    return has(error, state -> state.length() == 5 && REFUSED.contains(state.substring(0, 2)));
  }

  /** True if the state of the error, or of one that came with it, is such a one. */
  private static boolean has(SQLException error, Predicate<String> wanted) {
    for (SQLException e = error; e != null; e = e.getNextException()) {
      String state = e.getSQLState();
      if (state != null && wanted.test(state)) {
        return true;
      }
    }
    return false;
  }

  /** True when the database has undone the whole transaction to let another one pass. */
  static boolean isConflict(SQLException error) {
    return has(error, CONFLICT::contains);
  }

  /** True when the session, or its whole database, takes no writes. */
  static boolean isReadOnly(SQLException error) {
    return has(error, READ_ONLY::equals);
  }

  /** Returns what a database answers to a write that it does not take. */
  static SQLException readOnly() {
    return new SQLException("Its transactions can only read", READ_ONLY);
  }

  /** True when nothing more can be done on the connection that could be done on another. */
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
