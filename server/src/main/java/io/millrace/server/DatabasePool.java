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

  private static final List<String> H2_OPTIONS = List.of("DB_CLOSE_ON_EXIT=FALSE", "WRITE_DELAY=0");
  private static final String IF_EXISTS = "IFEXISTS";
  private static final long PATIENCE_MS = 10_000;

  private DatabasePool() {}

  /**
   * Opens a pool with one connection.
   *
   * @throws MillraceException if the database cannot be reached or refuses the connection
   */
  static HikariDataSource open(DatabaseConfig database) {
    return open(database, database.poolSize());
  }

  /** Opens a pool as {@link #open(DatabaseConfig)} does, with a given number of connections. */
  public static HikariDataSource open(DatabaseConfig database, int connections) {
    DatabaseFiles.protect(database);
    return open(database, url(database), connections);
  }

  /**
   * Opens a database for a command that does not create one: a missing H2 file stays missing, and
   * an existing one keeps its permissions.
   *
   * @throws DatabaseMissingException if there is no such H2 file
   * @throws MillraceException if the database cannot be reached or refuses the connection
   */
  public static HikariDataSource openExisting(DatabaseConfig database, int connections) {
    String url = url(database);
    boolean file =
        DatabaseFiles.isFile(database) && !url.toUpperCase(Locale.ROOT).contains(IF_EXISTS);
    return open(database, file ? url + ";" + IF_EXISTS + "=TRUE" : url, connections);
  }

  private static HikariDataSource open(DatabaseConfig database, String url, int connections) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("millrace");
    config.setJdbcUrl(url);
    config.setUsername(database.user());
    config.setPassword(database.password());
    config.setMaximumPoolSize(connections);
    config.setConnectionTimeout(PATIENCE_MS);
    try {
      return new HikariDataSource(config);
    } catch (RuntimeException e) {
      throw explain(database, e);
    }
  }

  /**
   * Returns the URL with options added. H2 must not close itself at SIGTERM while the engine still
   * drains, and must write each commit before it returns. PostgreSQL gets timeouts, because a
   * server may accept connections and then stall.
   */
  static String url(DatabaseConfig database) {
    if (database.url().startsWith(POSTGRES)) {
      return withTimeouts(database.url());
    }
    return database.embedded() ? withH2Options(database.url()) : database.url();
  }

  private static String withH2Options(String url) {
    String complete = url;
    for (String option : H2_OPTIONS) {
      String name = option.substring(0, option.indexOf('=') + 1);
      if (!url.toUpperCase(Locale.ROOT).contains(";" + name)) {
        complete += ";" + option;
      }
    }
    return complete;
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

  private static MillraceException explain(DatabaseConfig database, RuntimeException failure) {
    SQLException cause = sqlException(failure);
    if (cause != null && cause.getErrorCode() == ALREADY_OPEN) {
      return new DatabaseInUseException(
          "The database "
              + database.shownUrl()
              + " is in use by another process; H2 is for one at a time. Stop the other one, set"
              + " database.url to another file, or use PostgreSQL.",
          failure);
    }
    if (cause != null && cause.getErrorCode() == NOT_FOUND) {
      return new DatabaseMissingException(
          "The database "
              + database.shownUrl()
              + " does not exist yet. The first start of the server makes it. If there should be"
              + " one, correct database.url; a relative path starts at the working folder "
              + Path.of("").toAbsolutePath()
              + ".",
          failure);
    }
    return new MillraceException(
        "The database "
            + database.shownUrl()
            + " cannot be opened by user '"
            + database.user()
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
