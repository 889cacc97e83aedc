package io.millrace.store.sql;

import io.millrace.store.sql.SqlStatements.SqlStatement;
import java.sql.SQLException;
import java.util.function.Predicate;

/** Executes the statements of a migration. */
final class SchemaScript {

  private SchemaScript() {}

  /**
   * Executes all statements, on a connection that the caller commits.
   *
   * @param done tells the errors of statements that need not be executed again
   */
  static void run(SqlSession session, Migration migration, Predicate<SqlFailure> done)
      throws SQLException {
    for (SqlStatement statement : migration.statements()) {
      try {
        session.execute(statement.sql());
      } catch (SQLException e) {
        if (!done.test(new SqlFailure(statement.sql(), e))) {
          throw located(migration, statement, e);
        }
      }
    }
  }

  private static SQLException located(Migration migration, SqlStatement statement, SQLException e) {
    return new SQLException(
        migration.file() + ", line " + statement.line() + ": " + e.getMessage(),
        e.getSQLState(),
        e.getErrorCode(),
        e);
  }

  /** A statement that the database rejected. */
  record SqlFailure(String sql, SQLException error) {}
}
