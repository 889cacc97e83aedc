package io.millrace.examples.report;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The embedded database in the data folder. */
final class EmbeddedDatabase {

  private static final int CONNECTIONS = 6;
  private static final int ALREADY_OPEN = 90020; // H2's DATABASE_ALREADY_OPEN_1

  private EmbeddedDatabase() {}

  /**
   * Opens the database, which only one process can use at a time.
   *
   * @throws UsageException if the database cannot be opened
   */
  static HikariDataSource open(OutputFolders outputFolders) {
    create(outputFolders.data());
    create(outputFolders.reports());
    HikariConfig config = new HikariConfig();
    config.setPoolName("report");
    config.setJdbcUrl(url(outputFolders.database()));
    config.setMaximumPoolSize(CONNECTIONS);
    try {
      return new HikariDataSource(config);
    } catch (RuntimeException e) {
      throw explain(outputFolders, e);
    }
  }

  /**
   * Returns the URL. A commit is in the file when it returns, so that not even kill -9 undoes a
   * finished step.
   */
  private static String url(Path file) {
    return "jdbc:h2:file:" + file + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
  }

  private static void create(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UsageException(
          ("'%s' cannot be used: %s. Expected a folder, or a place where one can be made; choose"
                  + " another one with --data and --reports.")
              .formatted(folder, e));
    }
    if (!Files.isWritable(folder)) {
      throw new UsageException(
          ("'%s' cannot be written to; expected a folder that you own. Choose another one with"
                  + " --data and --reports.")
              .formatted(folder));
    }
  }

  private static RuntimeException explain(OutputFolders outputFolders, RuntimeException failure) {
    SQLException cause = sqlException(failure);
    if (cause == null) {
      return failure;
    }
    if (cause.getErrorCode() == ALREADY_OPEN) {
      return new UsageException(
          ("The data folder '%s' is in use by another process; expected one at a time. Wait until"
                  + " it has ended, or choose another folder with --data.")
              .formatted(outputFolders.data()));
    }
    return new UsageException(
        ("The database in '%s' cannot be opened: %s. Choose another folder with --data, or delete"
                + " this one to start from scratch.")
            .formatted(outputFolders.data(), cause.getMessage()));
  }

  private static @Nullable SQLException sqlException(Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof SQLException)) {
      cause = cause.getCause();
    }
    return (SQLException) cause;
  }
}
