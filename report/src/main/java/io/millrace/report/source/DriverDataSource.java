package io.millrace.report.source;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database by its JDBC address, with a connection for each use: reports ask rarely. No message
 * has the address, for that may hold a password. Thread-safe.
 */
public final class DriverDataSource implements DataSource {

  private final String url;
  private final String user;
  private final String password;

  /**
   * A database.
   *
   * @param url begins with {@code jdbc:}; its driver must be on the class path
   * @param user empty for none
   */
  public DriverDataSource(String url, String user, String password) {
    this.url = url;
    this.user = user;
    this.password = password;
    try {
      DriverManager.getDriver(url);
    } catch (SQLException e) {
      throw new SourceException(
          "there is no JDBC driver for '"
              + url.replaceAll("^(jdbc:[A-Za-z0-9]*|).*", "$1")
              + "...'; expected an address such as jdbc:postgresql://host/database. Put the jar"
              + " of the driver into the folder lib.");
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    return getConnection(user, password);
  }

  @Override
  public Connection getConnection(String name, String secret) throws SQLException {
    return name.isEmpty()
        ? DriverManager.getConnection(url)
        : DriverManager.getConnection(url, name, secret);
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("This is no " + type.getName());
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
