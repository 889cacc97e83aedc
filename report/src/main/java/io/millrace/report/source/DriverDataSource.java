package io.millrace.report.source;

import static io.millrace.report.source.GuardedConnection.quietly;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database by its JDBC URL, with a new connection for each use, since reports query rarely. No
 * message contains the URL, because it may hold a password. Connecting has a limit of 20 seconds.
 * Thread-safe.
 */
public final class DriverDataSource implements DataSource {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final String url;
  private final String user;
  private final String password;
  private final Duration limit;

  /**
   * Creates a data source.
   *
   * @param url begins with {@code jdbc:}; its driver must be on the class path
   * @param user empty for none
   */
  public DriverDataSource(String url, String user, String password) {
    this(url, user, password, LIMIT);
  }

  /**
   * Creates a data source with another limit.
   *
   * @param limit the longest time that connecting may take
   */
  DriverDataSource(String url, String user, String password, Duration limit) {
    this.url = url;
    this.user = user;
    this.password = password;
    this.limit = limit;
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
    CompletableFuture<Connection> connected = new CompletableFuture<>();
    // Most drivers wait forever for a server that accepts a connection and sends nothing. An
    // interrupt closes the socket of a virtual thread, so that nothing remains of an attempt that
    // was abandoned.
    Thread thread =
        Thread.ofVirtual()
            .name("millrace-report-connect")
            .start(() -> connect(name, secret, connected));
    try {
      return connected.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof SQLException refused ? refused : failed(e.getCause());
    } catch (TimeoutException e) {
      giveUp(connected, thread);
      throw new SQLTimeoutException(
          "no connection within " + limit.toMillis() + " ms; the server does not answer", e);
    } catch (InterruptedException e) {
      giveUp(connected, thread);
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted while connecting", e);
    }
  }

  private void connect(String name, String secret, CompletableFuture<Connection> connected) {
    try {
      Connection connection =
          name.isEmpty()
              ? DriverManager.getConnection(url)
              : DriverManager.getConnection(url, name, secret);
      if (!connected.complete(connection)) {
        connection.close();
      }
    } catch (SQLException | RuntimeException | Error e) {
      connected.completeExceptionally(e);
    }
  }

  /** Abandons an attempt to connect, and closes a connection that arrives at the last moment. */
  private static void giveUp(CompletableFuture<Connection> connected, Thread thread) {
    if (connected.cancel(false)) {
      thread.interrupt();
    } else if (connected.state() == Future.State.SUCCESS) {
      quietly("close", connected.resultNow()::close);
    }
  }

  private static SQLException failed(@Nullable Throwable cause) {
    return new SQLException("the driver failed: " + cause, cause);
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
