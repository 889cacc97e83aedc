package io.millrace.benchmarks;

import io.millrace.benchmarks.postgres.BenchmarkPostgres;
import java.io.IOException;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** The machine that produced the figures, described in one line. */
final class Machine {

  private Machine() {}

  static String describe(BenchmarkPostgres benchmarkPostgres) throws SQLException, IOException {
    return "%s, %d processors, %s %s, JDK %s, %s with durable settings"
        .formatted(
            LocalDate.now(ZoneOffset.UTC),
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            Runtime.version().feature(),
            benchmarkPostgres.version());
  }
}
