package io.millrace.benchmarks.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A database on the private server.
 *
 * @param serverPid the process id of the server
 */
public record BenchmarkDatabase(String host, int port, String name, String user, long serverPid) {

  public String url() {
    return "jdbc:postgresql://%s:%d/%s?user=%s".formatted(host, port, name, user);
  }

  /** Opens a pool with the given number of connections, all of them open; the caller closes it. */
  public HikariDataSource pool(int connections) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url());
    config.setUsername(user);
    config.setMaximumPoolSize(connections);
    return new HikariDataSource(config);
  }

  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }

  /** Returns the single number that a query selects. */
  public long number(String query) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  public void execute(String... statements) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
