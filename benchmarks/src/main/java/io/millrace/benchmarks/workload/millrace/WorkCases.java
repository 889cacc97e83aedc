package io.millrace.benchmarks.workload.millrace;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.benchmarks.peer.WorkType;
import java.util.Arrays;
import java.util.List;

/** The kinds of work as rows of a table, and constants that the workloads of this package share. */
final class WorkCases {

  static final int CONNECTIONS = 10;

  static final List<String> TITLES =
      Arrays.stream(WorkType.values()).map(WorkCases::title).toList();

  private WorkCases() {}

  private static String title(WorkType workType) {
    return workType.steps() == 1
        ? "jobs of one step"
        : "workflows of " + workType.steps() + " steps";
  }

  /** Opens a pool for any database; the caller closes it. */
  static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(CONNECTIONS);
    return new HikariDataSource(config);
  }

  static WorkType work(String title) {
    return Arrays.stream(WorkType.values())
        .filter(w -> title(w).equals(title))
        .findFirst()
        .orElseThrow();
  }
}
