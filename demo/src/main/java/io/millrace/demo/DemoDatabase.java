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
 * The demo's database, one file in a folder. It is made under another name and renamed when the
 * history is complete, so a process that dies meanwhile leaves nothing behind that counts.
 */
final class DemoDatabase {

  static final String USER = "demo";

  private static final String NAME = "millrace";
  private static final String UNFINISHED = "unfinished";
  private static final int CONNECTIONS = 4;
  private static final String SUFFIX = ".mv.db";

  /**
   * H2 keeps eight parsed statements of a connection unless told otherwise; the engine has more.
   */
  private static final String OPTIONS =
      ";QUERY_CACHE_SIZE=256;TRACE_LEVEL_FILE=0;DB_CLOSE_ON_EXIT=FALSE";

  private final Path folder;

  DemoDatabase(Path folder) {
    this.folder = folder.toAbsolutePath().normalize();
  }

  /** Where it is, for a pool; user {@link #USER}, no password. */
  String url() {
    return url(NAME);
  }

  private String url(String name) {
    return "jdbc:h2:file:" + folder.resolve(name) + OPTIONS;
  }

  /** True when its history is complete. */
  boolean exists() {
    return Files.exists(file(NAME));
  }

  private Path file(String name) {
    return folder.resolve(name + SUFFIX);
  }

  /** Fills a database; it is this one when that has ended. */
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

  /** Does something while nobody else has the database open. */
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
   * Lets H2 write when it likes: nobody needs what is unfinished. The next to open a store gets
   * every commit written again.
   */
  static void relaxDurability(DataSource database) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SET WRITE_DELAY 2000");
    } catch (SQLException e) {
      throw new IllegalStateException("The database of the demo refuses: " + e.getMessage(), e);
    }
  }

  /** Deletes it and what belongs to it. */
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
