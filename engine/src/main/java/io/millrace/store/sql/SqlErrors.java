package io.millrace.store.sql;

import io.millrace.store.StoreException;
import java.sql.SQLException;
import java.util.Set;

/** Tells errors that trying again may cure from those of the request itself. */
final class SqlErrors {

  private static final String SQL_OF_H2 = "; SQL statement:";
  private static final String UNIQUE_VIOLATION = "23505";

  /**
   * Classes of SQLState that blame the request: feature, data, constraint, syntax or access, limit.
   */
  private static final Set<String> REFUSED = Set.of("0A", "21", "22", "23", "42", "44", "54");

  /** Cancelled after its time limit, no lock in time, undone for another; HYT00 is H2's. */
  private static final Set<String> BLOCKED = Set.of("57014", "55P03", "40P01", "40001", "HYT00");

  /** 40001 is H2's, and that of PostgreSQL for transactions that cannot be serialized. */
  private static final Set<String> DEADLOCK = Set.of("40P01", "40001");

  private SqlErrors() {}

  static StoreException translate(String action, SQLException error) {
    StoreException plain = plain(action, error);
    return BLOCKED.contains(String.valueOf(error.getSQLState()))
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
    for (SQLException e = error; e != null; e = e.getNextException()) {
      String state = e.getSQLState();
      if (state != null && state.length() == 5 && REFUSED.contains(state.substring(0, 2))) {
        return true;
      }
    }
    return false;
  }

  /** True when the database has undone the whole transaction to let another one pass. */
  static boolean isDeadlock(SQLException error) {
    return DEADLOCK.contains(String.valueOf(error.getSQLState()));
  }

  static boolean isDuplicate(SQLException error) {
    for (SQLException e = error; e != null; e = e.getNextException()) {
      if (UNIQUE_VIOLATION.equals(e.getSQLState())) {
        return true;
      }
    }
    return false;
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
