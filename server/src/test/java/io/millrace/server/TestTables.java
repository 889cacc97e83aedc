package io.millrace.server;

import io.millrace.server.security.Accounts;
import io.millrace.store.sql.SqlStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * All tables of a server in an H2 database in memory, so that servers need not make them: that
 * takes longer than most tests, and has tests of its own.
 */
public final class TestTables {

  private static final Pattern COMMENT = Pattern.compile("(?m)--.*$");
  private static final Pattern END = Pattern.compile(";\\s*(\n|$)");
  private static final List<String> TABLES = atOnce(statements(tables()));

  private TestTables() {}

  private static String tables() {
    return SqlStore.printSchema("h2") + Accounts.schema("h2");
  }

  /** H2 would look through all that is left of a text with each of its statements. */
  public static List<String> statements(String sql) {
    return END.splitAsStream(COMMENT.matcher(sql).replaceAll(""))
        .filter(statement -> !statement.isBlank())
        .toList();
  }

  /**
   * Returns statements with the same result as those of all versions, which change many tables
   * again and again; H2 copies a table for that.
   */
  private static List<String> atOnce(List<String> versions) {
    List<String> script = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:" + UUID.randomUUID());
        Statement statement = connection.createStatement()) {
      for (String sql : versions) {
        statement.execute(sql);
      }
      try (ResultSet rows = statement.executeQuery("SCRIPT NOSETTINGS")) {
        while (rows.next()) {
          script.add(rows.getString(1));
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the tables of H2", e);
    }
    script.removeIf(sql -> sql.startsWith("CREATE USER") || sql.startsWith("--"));
    // H2 writes a view before some of its tables, and then it stays invalid.
    script.sort(Comparator.comparing(sql -> sql.startsWith("CREATE FORCE VIEW")));
    return script;
  }

  /** Makes them in a database that lives on without a connection. */
  public static void make(String url, String user, String password) {
    execute(url, user, password, TABLES);
  }

  /** Adds an admin who cannot log in, so that no server hashes a password for its first one. */
  static void addAdmin(String url, String user, String password) {
    execute(
        url,
        user,
        password,
        List.of(
            "INSERT INTO millrace_user (name, role, password_hash, created_at)"
                + " VALUES ('admin', 'admin', 'none', CURRENT_TIMESTAMP)"));
  }

  private static void execute(String url, String user, String password, List<String> statements) {
    try (Connection connection = DriverManager.getConnection(url, user, password);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(url, e);
    }
  }
}
