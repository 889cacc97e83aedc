package io.millrace.benchmarks.workload.millrace;

import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.measure.ResourceUsage;
import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.peer.WorkType;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.process.RoleContext;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.BenchmarkContext;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/**
 * A workload that measures the cost of a step: round trips, processor time, write-ahead log, and
 * heap.
 */
final class StepCostWorkload implements MillraceWorkload {

  /**
   * Query of the number of calls. One call is one round trip, except for BEGIN, which travels with
   * the statement after it.
   */
  private static final String CALLS =
      """
      SELECT CASE
          WHEN query LIKE '%due AS MATERIALIZED%' THEN 'claim'
          WHEN query LIKE '%AS next_due%' THEN 'upcoming'
          WHEN query LIKE '%INSERT INTO millrace_history%' THEN 'save'
          ELSE 'other' END AS kind,
        sum(calls) AS calls, sum(total_exec_time) AS millis
      FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
      WHERE d.datname = current_database() AND query NOT LIKE 'BEGIN%'
        AND query NOT LIKE '%pg_%'
      GROUP BY kind
      """;

  @Override
  public String id() {
    return "X7";
  }

  @Override
  public String title(BenchmarkContext context) {
    return "what %,d steps cost: statements and their milliseconds for each 1,000 steps, the rest for each step"
        .formatted(steps(context));
  }

  private static int steps(BenchmarkContext context) {
    return context.size(20_000, 2_000);
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.lessIsBetter("statements", "calls", 1),
        Column.lessIsBetter("claims", "claim", 1),
        Column.lessIsBetter("ms", "claimMillis", 1),
        Column.lessIsBetter("next due", "upcoming", 1),
        Column.lessIsBetter("ms", "upcomingMillis", 1),
        Column.lessIsBetter("saves", "save", 1),
        Column.lessIsBetter("ms", "saveMillis", 1),
        Column.lessIsBetter("others", "other", 1),
        Column.lessIsBetter("ms", "otherMillis", 1),
        Column.lessIsBetter("CPU ms, Java", "javaMillis", 3),
        Column.lessIsBetter("CPU ms, server", "serverMillis", 3),
        Column.lessIsBetter("WAL bytes", "walBytes", 0),
        Column.lessIsBetter("heap bytes", "allocatedBytes", 0));
  }

  @Override
  public List<String> cases(BenchmarkContext context) {
    return MillraceWorkload.few(context, WorkCases.TITLES);
  }

  @Override
  public Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase)
      throws Exception {
    BenchmarkDatabase database = context.server().create();
    boolean counts = context.server().countsStatements();
    if (counts) {
      database.execute(
          "CREATE EXTENSION pg_stat_statements",
          "ALTER DATABASE " + database.name() + " SET pg_stat_statements.track = 'top'");
    }
    try {
      return context.runAlone(
          Drain.class,
          peer,
          database,
          Map.of("work", WorkCases.work(oneCase), "steps", steps(context), "counts", counts));
    } finally {
      context.server().drop(database);
    }
  }

  static final class Drain implements ProcessRole {

    private static final int WARM_UP_SHARE = 4;

    @Override
    public void run(RoleContext roleContext) throws Exception {
      WorkType workType = WorkType.valueOf(roleContext.setting("work"));
      int steps = roleContext.number("steps");
      boolean counts = Boolean.parseBoolean(roleContext.setting("counts"));
      try (var pool = roleContext.database().pool(WorkCases.CONNECTIONS)) {
        WorkRunner workRunner = WorkRunner.of(pool, workType);
        workRunner.warmUp(steps / workType.steps() / WARM_UP_SHARE);
        workRunner.enqueue(steps / workType.steps());
        if (counts) {
          roleContext.database().execute("SELECT pg_stat_statements_reset()");
        }
        Meter meter = Meter.start(roleContext.database());
        workRunner.drain(steps / workType.steps());
        ResourceUsage resourceUsage = meter.stop();
        roleContext.recordMeasurement("javaMillis", resourceUsage.javaMillis() / steps);
        roleContext.recordMeasurement("serverMillis", resourceUsage.serverMillis() / steps);
        roleContext.recordMeasurement("walBytes", resourceUsage.walBytes() / (double) steps);
        roleContext.recordMeasurement(
            "allocatedBytes", resourceUsage.allocatedBytes() / (double) steps);
      }
      if (counts) {
        tellCalls(roleContext, steps / 1_000.0);
      }
    }

    private static void tellCalls(RoleContext roleContext, double thousands) throws SQLException {
      double all = 0;
      try (Connection connection = roleContext.database().connect();
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(CALLS)) {
        while (rows.next()) {
          String kind = rows.getString("kind");
          double calls = rows.getDouble("calls");
          roleContext.recordMeasurement(kind, calls / thousands);
          roleContext.recordMeasurement(kind + "Millis", rows.getDouble("millis") / thousands);
          all += calls;
        }
      }
      roleContext.recordMeasurement("calls", all / thousands);
    }
  }
}
