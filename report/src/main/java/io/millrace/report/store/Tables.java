package io.millrace.report.store;

import io.millrace.report.source.SourceException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
      String product = connection.getMetaData().getDatabaseProductName();
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
    return ddl.replace("BYTES", isPostgres(product) ? "bytea" : "blob");
  }

  private static boolean isPostgres(String product) {
    return product.toLowerCase(Locale.ROOT).contains("postgres");
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

  /** Gives a table this primary key in place of the one that it has, if that is another. */
  void key(String name, List<String> columns) {
    try (Connection connection = connection();
        Statement statement = connection.createStatement()) {
      List<String> present = keyOf(connection, name);
      if (!present.equals(columns)) {
        String product = connection.getMetaData().getDatabaseProductName();
        for (String one : changeKey(name, columns, product, !present.isEmpty())) {
          statement.execute(one);
        }
      }
    } catch (SQLException e) {
      throw failed("The key of the table " + name + " cannot be changed", e);
    }
  }

  /** The statements that do so; in PostgreSQL one, so that there is no moment without a key. */
  static List<String> changeKey(
      String name, List<String> columns, String product, boolean replace) {
    String alter = "alter table " + name + " ";
    String key = "primary key (" + String.join(", ", columns) + ")";
    if (isPostgres(product)) {
      String constraint = name + "_pkey";
      return List.of(
          alter
              + "drop constraint if exists "
              + constraint
              + ", add constraint "
              + constraint
              + " "
              + key);
    }
    return replace
        ? List.of(alter + "drop primary key", alter + "add " + key)
        : List.of(alter + "add " + key);
  }

  /** The columns of a table's primary key, in their order; empty without one. */
  List<String> keyOf(String name) {
    try (Connection connection = connection()) {
      return keyOf(connection, name);
    } catch (SQLException e) {
      throw failed("The table " + name + " cannot be looked at", e);
    }
  }

  private static List<String> keyOf(Connection connection, String name) throws SQLException {
    DatabaseMetaData database = connection.getMetaData();
    String stored = database.storesUpperCaseIdentifiers() ? name.toUpperCase(Locale.ROOT) : name;
    Map<Integer, String> columns = new TreeMap<>();
    try (ResultSet keys =
        database.getPrimaryKeys(connection.getCatalog(), connection.getSchema(), stored)) {
      while (keys.next()) {
        columns.put(keys.getInt("KEY_SEQ"), keys.getString("COLUMN_NAME").toLowerCase(Locale.ROOT));
      }
    }
    return List.copyOf(columns.values());
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
