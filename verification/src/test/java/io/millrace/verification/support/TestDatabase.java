package io.millrace.verification.support;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.store.sql.SqlStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A private database of a test: a database or schema of the PostgreSQL server that script/test
 * starts, or H2 in memory. By default it has the tables of Millrace, so that stores need not create
 * them: that takes longer than most tests, and has tests of its own.
 */
public final class TestDatabase implements AutoCloseable {

  private static final int CONNECTIONS = 12;
  private static final Pattern COMMENT = Pattern.compile("(?m)--.*$");
  private static final Pattern END = Pattern.compile(";\\s*(\n|$)");
  private static final List<String> H2_TABLES = statements(SqlStore.printSchema("h2"));

  private final String url;
  private final String parent;
  private final String lastStatement;
  private final HikariDataSource pool;

  /**
   * Creates a database.
   *
   * @param parent URL of the first and the last statement
   */
  private TestDatabase(
      String url,
      String parent,
      List<String> firstStatements,
      String lastStatement,
      int connections) {
    this.url = url;
    this.parent = parent;
    this.lastStatement = lastStatement;
    execute(parent, firstStatements);
    this.pool = open(connections);
  }

  public static TestDatabase postgres() {
    return postgres(CONNECTIONS);
  }

  /** Copies {@link PostgresTemplate}, which takes a third of the time of creating the tables. */
  public static TestDatabase postgres(int connections) {
    String server = server();
    String database = uniqueName();
    return new TestDatabase(
        PostgresTemplate.url(server, database) + "&ApplicationName=" + database,
        server,
        List.of("CREATE DATABASE " + database + " TEMPLATE " + PostgresTemplate.NAME),
        "DROP DATABASE IF EXISTS " + database + " WITH (FORCE)",
        connections);
  }

  public static TestDatabase emptyPostgres() {
    return emptyPostgres(CONNECTIONS);
  }

  public static TestDatabase emptyPostgres(int connections) {
    String server = server();
    String schema = uniqueName();
    String url =
        "%s%scurrentSchema=%s&ApplicationName=%s"
            .formatted(server, server.contains("?") ? "&" : "?", schema, schema);
    return new TestDatabase(
        url,
        url,
        List.of("CREATE SCHEMA " + schema),
        "DROP SCHEMA IF EXISTS " + schema + " CASCADE",
        connections);
  }

  private static String uniqueName() {
    return "test_" + UUID.randomUUID().toString().replace("-", "");
  }

  static String server() {
    String server = System.getenv("MILLRACE_TEST_POSTGRES_URL");
    if (server == null || server.isBlank()) {
      throw new IllegalStateException(
          "MILLRACE_TEST_POSTGRES_URL is not set; run the tests through script/test, which starts a"
              + " PostgreSQL server");
    }
    return server;
  }

  public static TestDatabase h2() {
    return h2(H2_TABLES);
  }

  public static TestDatabase emptyH2() {
    return h2(List.of());
  }

  private static TestDatabase h2(List<String> tables) {
    String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    return new TestDatabase(url, url, tables, "SHUTDOWN", CONNECTIONS);
  }

  /** Splits a text into statements, since H2 reads the rest of a text again for each of them. */
  private static List<String> statements(String sql) {
    return END.splitAsStream(COMMENT.matcher(sql).replaceAll(""))
        .filter(statement -> !statement.isBlank())
        .toList();
  }

  /** Returns the URL for other processes and other pools. */
  public String url() {
    return url;
  }

  public HikariDataSource pool() {
    return pool;
  }

  /** Opens another pool, for another engine. */
  public HikariDataSource open(int connections) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(connections);
    // Most tests need few connections, and PostgreSQL starts a process for each.
    config.setMinimumIdle(1);
    return new HikariDataSource(config);
  }

  public void execute(String sql) {
    execute(url, List.of(sql));
  }

  /** Executes statements over one connection. */
  static void execute(String url, List<String> statements) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("'" + statements + "' failed", e);
    }
  }

  /** Returns the number in the first column of the first row. */
  public long number(String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException("'" + sql + "' failed", e);
    }
  }

  /** Returns the first column of all rows. */
  public List<String> lines(String sql) {
    List<String> lines = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        lines.add(rows.getString(1));
      }
    } catch (SQLException e) {
      throw new IllegalStateException("'" + sql + "' failed", e);
    }
    return lines;
  }

  @Override
  public void close() {
    pool.close();
    execute(parent, List.of(lastStatement));
  }
}
