package io.millrace.server.security;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.server.Patience;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/** The databases for tests of accounts. */
enum AccountDatabase {
  H2,
  POSTGRESQL;

  /**
   * Opens a separate database for a test with the tables of the accounts, which are not migrated
   * each time. Closing the pool does not remove it.
   */
  HikariDataSource open() {
    String url = this == H2 ? h2() : postgres();
    execute(url, Accounts.schema(name()));
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(8);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(Patience.LIMIT.toMillis());
    return new HikariDataSource(config);
  }

  /** Removes the data that a test has created. */
  void remove(HikariDataSource pool) {
    String url = pool.getJdbcUrl();
    pool.close();
    execute(
        url,
        this == H2
            ? "SHUTDOWN"
            : "DROP SCHEMA " + url.substring(url.lastIndexOf('=') + 1) + " CASCADE");
  }

  private static String h2() {
    return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
  }

  private static String postgres() {
    String server = System.getenv("MILLRACE_TEST_POSTGRES_URL");
    if (server == null || server.isBlank()) {
      throw new IllegalStateException(
          "MILLRACE_TEST_POSTGRES_URL is not set; run the tests through script/test, which starts"
              + " a PostgreSQL server");
    }
    String schema = "test_" + UUID.randomUUID().toString().replace("-", "");
    execute(server, "CREATE SCHEMA " + schema);
    return server + (server.contains("?") ? "&" : "?") + "currentSchema=" + schema;
  }

  private static void execute(String url, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("'" + sql + "' failed", e);
    }
  }
}
