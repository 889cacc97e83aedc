package io.millrace.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.instance.MillraceException;
import io.millrace.server.config.DatabaseConfig;
import io.millrace.server.doctor.DatabaseInUseException;
import io.millrace.server.doctor.DatabaseMissingException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The pool of connections to the database. */
public final class DatabasePool {

  private static final int ALREADY_OPEN = 90020; // H2's DATABASE_ALREADY_OPEN_1
  private static final int NOT_FOUND = 90146; // H2's DATABASE_NOT_FOUND_WITH_IF_EXISTS_1
  private static final String POSTGRES = "jdbc:postgresql:";

  /**
   * Timeouts in seconds; statements that may take longer than the second one set their own limit.
   */
  private static final List<String> TIMEOUTS = List.of("loginTimeout=10", "socketTimeout=60");

  private static final String CLOSE_ON_EXIT = "DB_CLOSE_ON_EXIT";
  private static final String IF_EXISTS = "IFEXISTS";
  private static final long PATIENCE_MS = 10_000;

  private DatabasePool() {}

  /**
   * Opens a pool with one connection.
   *
   * @throws MillraceException if the database cannot be reached or refuses the connection
   */
  static HikariDataSource open(DatabaseConfig databaseConfig) {
    return open(databaseConfig, databaseConfig.poolSize());
  }

  /** Opens a pool as {@link #open(DatabaseConfig)} does, with a given number of connections. */
  public static HikariDataSource open(DatabaseConfig databaseConfig, int connections) {
    DatabaseFiles.protect(databaseConfig);
    return open(databaseConfig, url(databaseConfig), connections);
  }

  /**
   * Opens a database for a command that does not create one: a missing H2 file stays missing, and
   * an existing one keeps its permissions.
   *
   * @throws DatabaseMissingException if there is no such H2 file
   * @throws MillraceException if the database cannot be reached or refuses the connection
   */
  public static HikariDataSource openExisting(DatabaseConfig databaseConfig, int connections) {
    String url = url(databaseConfig);
    boolean file =
        DatabaseFiles.isFile(databaseConfig) && !url.toUpperCase(Locale.ROOT).contains(IF_EXISTS);
    return open(databaseConfig, file ? url + ";" + IF_EXISTS + "=TRUE" : url, connections);
  }

  private static HikariDataSource open(DatabaseConfig databaseConfig, String url, int connections) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("millrace");
    config.setJdbcUrl(url);
    config.setUsername(databaseConfig.user());
    config.setPassword(databaseConfig.password());
    config.setMaximumPoolSize(connections);
    config.setConnectionTimeout(PATIENCE_MS);
    try {
      return new HikariDataSource(config);
    } catch (RuntimeException e) {
      throw explain(databaseConfig, e);
    }
  }

  /**
   * Returns the URL with options added. H2 must not close itself at SIGTERM while the engine still
   * drains. PostgreSQL gets timeouts, because a server may accept connections and then stall.
   */
  static String url(DatabaseConfig databaseConfig) {
    if (databaseConfig.url().startsWith(POSTGRES)) {
      return withTimeouts(databaseConfig.url());
    }
    boolean said = databaseConfig.url().toUpperCase(Locale.ROOT).contains(CLOSE_ON_EXIT);
    return databaseConfig.embedded() && !said
        ? databaseConfig.url() + ";" + CLOSE_ON_EXIT + "=FALSE"
        : databaseConfig.url();
  }

  private static String withTimeouts(String url) {
    String limited = url;
    for (String timeout : TIMEOUTS) {
      String name = timeout.substring(0, timeout.indexOf('=') + 1);
      if (!limited.matches(".*[?&]" + name + ".*")) {
        limited += (limited.contains("?") ? "&" : "?") + timeout;
      }
    }
    return limited;
  }

  private static MillraceException explain(
      DatabaseConfig databaseConfig, RuntimeException failure) {
    SQLException cause = sqlException(failure);
    if (cause != null && cause.getErrorCode() == ALREADY_OPEN) {
      return new DatabaseInUseException(
          "The database "
              + databaseConfig.shownUrl()
              + " is in use by another process; H2 is for one at a time. Stop the other one, set"
              + " database.url to another file, or use PostgreSQL.",
          failure);
    }
    if (cause != null && cause.getErrorCode() == NOT_FOUND) {
      return new DatabaseMissingException(
          "The database "
              + databaseConfig.shownUrl()
              + " does not exist yet. The first start of the server makes it. If there should be"
              + " one, correct database.url; a relative path starts at the working folder "
              + Path.of("").toAbsolutePath()
              + ".",
          failure);
    }
    return new MillraceException(
        "The database "
            + databaseConfig.shownUrl()
            + " cannot be opened by user '"
            + databaseConfig.user()
            + "': "
            + (cause == null ? failure.getMessage() : firstLine(cause))
            + ". Check that it runs, and database.url, database.user and database.password.",
        failure);
  }

  private static String firstLine(SQLException cause) {
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("").replaceAll("\\.$", "");
  }

  private static @Nullable SQLException sqlException(Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof SQLException)) {
      cause = cause.getCause();
    }
    return (SQLException) cause;
  }
}
