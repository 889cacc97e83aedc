package io.millrace.report.store;

import io.millrace.report.source.SourceException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Set;
import javax.sql.DataSource;

/** What the two stores in a database have in common. */
final class Tables {

  /** What a statement is given. */
  interface Binder {
    void bind(PreparedStatement statement) throws SQLException;
  }

  private static final String DUPLICATE = "23505";

  /** No such table or column: of PostgreSQL, and of H2 and the standard. */
  private static final Set<String> MISSING =
      Set.of("42P01", "42703", "42S02", "42S03", "42S04", "42S22");

  private final DataSource database;

  Tables(DataSource database) {
    this.database = database;
  }

  Connection connection() throws SQLException {
    return database.getConnection();
  }

  /**
   * Makes a table if there is none, or a part of one.
   *
   * @param columns as {@link #has} takes them
   * @param ddl the table, and what belongs to it, where {@code BYTES} stands for the database's
   *     type of many bytes
   */
  void create(String name, String columns, String... ddl) {
    try (Connection connection = connection();
        Statement statement = connection.createStatement()) {
      String product = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
      try {
        for (String one : ddl) {
          statement.execute(forDatabase(one, product));
        }
      } catch (SQLException e) {
        // Another node may have made it in this moment.
        if (!exists(connection, name, columns)) {
          throw e;
        }
      }
    } catch (SQLException e) {
      throw failed("The table " + name + " cannot be made", e);
    }
  }

  static String forDatabase(String ddl, String product) {
    return ddl.replace("BYTES", product.contains("postgres") ? "bytea" : "blob");
  }

  /**
   * True when there is such a table, with these columns.
   *
   * @param columns with commas between them
   */
  boolean has(String name, String columns) {
    try (Connection connection = connection()) {
      return exists(connection, name, columns);
    } catch (SQLException e) {
      throw failed("The table " + name + " cannot be looked at", e);
    }
  }

  private static boolean exists(Connection connection, String name, String columns)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("select " + columns + " from " + name + " where 1 = 0");
      return true;
    } catch (SQLException e) {
      if (MISSING.contains(String.valueOf(e.getSQLState()))) {
        return false;
      }
      throw e;
    }
  }

  /** Replaces a row: both statements take the same parameters in the same order. */
  void replace(String update, String insert, Binder binder) {
    try (Connection connection = connection()) {
      if (run(connection, update, binder) > 0) {
        return;
      }
      try {
        run(connection, insert, binder);
      } catch (SQLException e) {
        if (!DUPLICATE.equals(e.getSQLState())) {
          throw e;
        }
        run(connection, update, binder);
      }
    } catch (SQLException e) {
      throw failed("A row cannot be stored", e);
    }
  }

  private static int run(Connection connection, String sql, Binder binder) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      binder.bind(statement);
      return statement.executeUpdate();
    }
  }

  static SourceException failed(String what, SQLException e) {
    return new SourceException(what + " in the database: " + e.getMessage(), e);
  }
}
