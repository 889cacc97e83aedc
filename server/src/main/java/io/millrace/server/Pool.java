package io.millrace.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.instance.MillraceException;
import io.millrace.server.config.Database;
import io.millrace.server.doctor.DatabaseInUseException;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Opens the connections to the database. */
final class Pool {

  private static final int ALREADY_OPEN = 90020; // H2's DATABASE_ALREADY_OPEN_1
  private static final String CLOSE_ON_EXIT = "DB_CLOSE_ON_EXIT";
  private static final long PATIENCE_MS = 10_000;

  private Pool() {}

  /**
   * A pool with one connection open.
   *
   * @throws MillraceException when the database cannot be reached or refuses
   */
  static HikariDataSource open(Database database) {
    return open(database, database.poolSize());
  }

  /** As {@link #open(Database)}, with a number of connections of its own. */
  static HikariDataSource open(Database database, int connections) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("millrace");
    config.setJdbcUrl(url(database));
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

  /** H2 must not close itself at SIGTERM while the engine still drains. */
  private static String url(Database database) {
    boolean said = database.url().toUpperCase(Locale.ROOT).contains(CLOSE_ON_EXIT);
    return database.embedded() && !said
        ? database.url() + ";" + CLOSE_ON_EXIT + "=FALSE"
        : database.url();
  }

  private static MillraceException explain(Database database, RuntimeException failure) {
    SQLException cause = sqlException(failure);
    if (cause != null && cause.getErrorCode() == ALREADY_OPEN) {
      return new DatabaseInUseException(
          "The database "
              + database.shownUrl()
              + " is in use by another process; H2 is for one at a time. Stop the other one, set"
              + " database.url to another file, or use PostgreSQL.",
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
