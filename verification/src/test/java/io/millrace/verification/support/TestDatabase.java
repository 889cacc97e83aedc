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
import java.util.stream.Stream;

/**
 * A private database of a test: a schema of the PostgreSQL server that script/test starts, or H2 in
 * memory. By default it has the tables of Millrace, so that stores need not create them: that takes
 * longer than most tests, and has tests of its own.
 */
public final class TestDatabase implements AutoCloseable {

  private static final int CONNECTIONS = 12;
  private static final Pattern COMMENT = Pattern.compile("(?m)--.*$");
  private static final Pattern END = Pattern.compile(";\\s*(\n|$)");
  private static final List<String> H2_TABLES = statements(SqlStore.printSchema("h2"));
  private static final List<String> POSTGRES_TABLES = List.of(SqlStore.printSchema("postgresql"));

  private final String url;
  private final String lastStatement;
  private final HikariDataSource pool;

  private TestDatabase(
      String url, List<String> firstStatements, String lastStatement, int connections) {
    this.url = url;
    this.lastStatement = lastStatement;
    execute(firstStatements);
    this.pool = open(connections);
  }

  public static TestDatabase postgres() {
    return postgres(CONNECTIONS);
  }

  public static TestDatabase postgres(int connections) {
    return postgres(connections, POSTGRES_TABLES);
  }

  public static TestDatabase emptyPostgres() {
    return emptyPostgres(CONNECTIONS);
  }

  public static TestDatabase emptyPostgres(int connections) {
    return postgres(connections, List.of());
  }

  private static TestDatabase postgres(int connections, List<String> tables) {
    String server = System.getenv("MILLRACE_TEST_POSTGRES_URL");
    if (server == null || server.isBlank()) {
      throw new IllegalStateException(
          "MILLRACE_TEST_POSTGRES_URL is not set; run the tests through script/test, which starts a"
              + " PostgreSQL server");
    }
    String schema = "test_" + UUID.randomUUID().toString().replace("-", "");
    String url =
        "%s%scurrentSchema=%s&ApplicationName=%s"
            .formatted(server, server.contains("?") ? "&" : "?", schema, schema);
    return new TestDatabase(
        url,
        Stream.concat(Stream.of("CREATE SCHEMA " + schema), tables.stream()).toList(),
        "DROP SCHEMA IF EXISTS " + schema + " CASCADE",
        connections);
  }

  public static TestDatabase h2() {
    return h2(H2_TABLES);
  }

  public static TestDatabase emptyH2() {
    return h2(List.of());
  }

  private static TestDatabase h2(List<String> tables) {
    return new TestDatabase(
        "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", tables, "SHUTDOWN", CONNECTIONS);
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
    execute(List.of(sql));
  }

  /** Over one connection. */
  private void execute(List<String> statements) {
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
    execute(lastStatement);
  }
}
