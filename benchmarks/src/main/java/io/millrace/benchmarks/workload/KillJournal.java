package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A journal in the database of starts of work and of kills of processes, with their times. */
record KillJournal(BenchmarkDatabase database) {

  private static final long LIMIT_MINUTES = 10;
  private static final long LOOK_EVERY_MILLIS = 100;

  /**
   * Query of the time from a kill to the next start of each piece of work that the killed process
   * had started.
   */
  private static final String SECONDS =
      """
      SELECT min(again.at - killed.at) / 1000.0
      FROM benchmark_killed killed
      JOIN benchmark_begun held ON held.process = killed.process AND held.at <= killed.at
      JOIN benchmark_begun again ON again.work = held.work AND again.at > killed.at
      GROUP BY killed.process, held.work
      """;

  void install() throws SQLException {
    database.execute(
        "CREATE TABLE benchmark_begun (process text, work text, at bigint)",
        "CREATE TABLE benchmark_killed (process text, at bigint)");
  }

  void begun(String process, String work) {
    long now = System.currentTimeMillis();
    try {
      database.execute(
          "INSERT INTO benchmark_begun VALUES ('%s', '%s', %d)".formatted(process, work, now));
    } catch (SQLException e) {
      throw new IllegalStateException("The start of " + work + " could not be recorded", e);
    }
  }

  void killed(String process, long at) throws SQLException {
    database.execute("INSERT INTO benchmark_killed VALUES ('%s', %d)".formatted(process, at));
  }

  void awaitBegun(int count) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(LIMIT_MINUTES);
    while (database.number("SELECT count(DISTINCT work) FROM benchmark_begun") < count) {
      pause(end, "Not all work was started");
    }
  }

  /**
   * Waits for at least the given number of restarts and returns the seconds between kill and next
   * start of each piece of work.
   */
  List<Double> awaitSeconds(int count) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(LIMIT_MINUTES);
    while (true) {
      List<Double> seconds = seconds();
      if (seconds.size() >= count) {
        return seconds;
      }
      pause(
          end,
          "Only %d of %d pieces of work of killed processes were restarted"
              .formatted(seconds.size(), count));
    }
  }

  private List<Double> seconds() throws SQLException {
    List<Double> seconds = new ArrayList<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(SECONDS)) {
      while (rows.next()) {
        seconds.add(rows.getDouble(1));
      }
    }
    return seconds;
  }

  private static void pause(long end, String fault) throws InterruptedException {
    if (System.nanoTime() - end > 0) {
      throw new IllegalStateException(fault + " within " + LIMIT_MINUTES + " minutes.");
    }
    TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
  }
}
