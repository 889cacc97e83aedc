package io.millrace.verification.support;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * An empty database of a test's own: a schema of the PostgreSQL server that script/test starts, or
 * H2 in memory.
 */
public final class TestDatabase implements AutoCloseable {

  private final String url;
  private final String lastStatement;
  private final HikariDataSource pool;

  private TestDatabase(String url, String lastStatement, int connections) {
    this.url = url;
    this.lastStatement = lastStatement;
    this.pool = open(connections);
  }

  public static TestDatabase postgres() {
    return postgres(12);
  }

  public static TestDatabase postgres(int connections) {
    String server = System.getenv("MILLRACE_TEST_POSTGRES_URL");
    if (server == null || server.isBlank()) {
      throw new IllegalStateException(
          "MILLRACE_TEST_POSTGRES_URL is not set; run the tests through script/test, which starts a PostgreSQL server");
    }
    String schema = "test_" + UUID.randomUUID().toString().replace("-", "");
    String url =
        "%s%scurrentSchema=%s&ApplicationName=%s"
            .formatted(server, server.contains("?") ? "&" : "?", schema, schema);
    TestDatabase database =
        new TestDatabase(url, "DROP SCHEMA IF EXISTS " + schema + " CASCADE", connections);
    database.execute("CREATE SCHEMA " + schema);
    return database;
  }

  public static TestDatabase h2() {
    return new TestDatabase(
        "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "SHUTDOWN", 12);
  }

  /** For other processes and other pools. */
  public String url() {
    return url;
  }

  public HikariDataSource pool() {
    return pool;
  }

  /** Another pool, for another engine. */
  public HikariDataSource open(int connections) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(connections);
    return new HikariDataSource(config);
  }

  public void execute(String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("'" + sql + "' failed", e);
    }
  }

  /** The number in the first column of the first row. */
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

  /** The first column of all rows. */
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
