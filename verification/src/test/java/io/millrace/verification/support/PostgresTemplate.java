package io.millrace.verification.support;

import io.millrace.store.sql.SqlStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * A database with the tables of Millrace in a schema, which is copied for tests. The first process
 * that needs it creates it; its name depends on the tables.
 */
final class PostgresTemplate {

  private static final String SCHEMA = "millrace_test";
  private static final String TABLES = SqlStore.printSchema("postgresql");

  /** Name of the database, which exists. */
  static final String NAME = existing(TestDatabase.server());

  private PostgresTemplate() {}

  /** Returns the URL of the tables in a copy of the template. */
  static String url(String server, String database) {
    String url = server.replaceFirst("(//[^/]+/)[^?]*", "$1" + database);
    return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + SCHEMA;
  }

  private static String existing(String server) {
    String name = "template_" + Integer.toHexString(TABLES.hashCode());
    try (Connection connection = DriverManager.getConnection(server);
        Statement statement = connection.createStatement()) {
      // Tests run in several processes, which start at the same time.
      statement.execute("SELECT pg_advisory_lock(" + TABLES.hashCode() + ")");
      if (!isPresent(statement, name)) {
        String unfinished = name + "_unfinished";
        statement.execute("DROP DATABASE IF EXISTS " + unfinished + " WITH (FORCE)");
        statement.execute("CREATE DATABASE " + unfinished);
        TestDatabase.execute(url(server, unfinished), List.of("CREATE SCHEMA " + SCHEMA, TABLES));
        statement.execute("ALTER DATABASE " + unfinished + " RENAME TO " + name);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("template " + name, e);
    }
    return name;
  }

  private static boolean isPresent(Statement statement, String name) throws SQLException {
    try (ResultSet rows =
        statement.executeQuery("SELECT 1 FROM pg_database WHERE datname = '" + name + "'")) {
      return rows.next();
    }
  }
}
