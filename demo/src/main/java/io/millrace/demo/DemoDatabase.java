package io.millrace.demo;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * The demo's database, one file in a folder. It is created under another name and renamed when the
 * history is complete, so a process that dies during the preparation leaves no incomplete database.
 */
final class DemoDatabase {

  static final String USER = "demo";

  private static final String NAME = "millrace";
  private static final String UNFINISHED = "unfinished";
  private static final int CONNECTIONS = 4;
  private static final String SUFFIX = ".mv.db";

  /**
   * Options of the H2 URL. By default H2 caches eight parsed statements per connection, and the
   * engine uses more.
   */
  private static final String OPTIONS =
      ";QUERY_CACHE_SIZE=256;TRACE_LEVEL_FILE=0;DB_CLOSE_ON_EXIT=FALSE";

  private final Path folder;

  DemoDatabase(Path folder) {
    this.folder = folder.toAbsolutePath().normalize();
  }

  /** Returns the JDBC URL for a pool; the user is {@link #USER}, without password. */
  String url() {
    return url(NAME);
  }

  private String url(String name) {
    return "jdbc:h2:file:" + folder.resolve(name) + OPTIONS;
  }

  /** True if the complete history exists. */
  boolean exists() {
    return Files.exists(file(NAME));
  }

  private Path file(String name) {
    return folder.resolve(name + SUFFIX);
  }

  /** Creates and fills a database, which becomes this one when the replay has ended. */
  HistoryReplay.Result create(HistoryReplay historyReplay) {
    delete(UNFINISHED);
    HistoryReplay.Result result = with(UNFINISHED, historyReplay::run);
    try {
      Files.move(file(UNFINISHED), file(NAME), StandardCopyOption.ATOMIC_MOVE);
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a function on a pool of its own, while no other connection to the database is open. */
  <T> T with(Function<DataSource, T> work) {
    return with(NAME, work);
  }

  private <T> T with(String name, Function<DataSource, T> work) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("demo");
    config.setJdbcUrl(url(name));
    config.setUsername(USER);
    config.setPassword("");
    config.setMaximumPoolSize(CONNECTIONS);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      return work.apply(pool);
    }
  }

  /**
   * Lets H2 delay its writes, because an unfinished history is never used. A store that is opened
   * later writes every commit to disk again.
   */
  static void relaxDurability(DataSource database) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SET WRITE_DELAY 2000");
    } catch (SQLException e) {
      throw new IllegalStateException("The database of the demo refuses: " + e.getMessage(), e);
    }
  }

  /** Deletes the database and its files. */
  void delete() {
    delete(NAME);
    delete(UNFINISHED);
  }

  private void delete(String name) {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        if (String.valueOf(file.getFileName()).startsWith(name + ".")) {
          Files.delete(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
