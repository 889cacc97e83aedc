package io.millrace.benchmarks.workload.millrace;

import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.measure.Usage;
import io.millrace.benchmarks.peer.Peers;
import io.millrace.benchmarks.peer.Work;
import io.millrace.benchmarks.postgres.Database;
import io.millrace.benchmarks.process.Part;
import io.millrace.benchmarks.process.Stage;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.Lab;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/** What a step costs: round trips, processor time, log, and heap. */
final class Cost implements MillraceWorkload {

  /** One call is one round trip, but for BEGIN, which travels with the statement after it. */
  private static final String CALLS =
      """
      SELECT CASE
          WHEN query LIKE '%due AS MATERIALIZED%' THEN 'claim'
          WHEN query LIKE '%AS next_due%' THEN 'upcoming'
          WHEN query LIKE '%INSERT INTO millrace_workflow_action%' THEN 'save'
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
  public String title(Lab lab) {
    return "what %,d steps cost: statements and their milliseconds for each 1,000 steps, the rest for each step"
        .formatted(steps(lab));
  }

  private static int steps(Lab lab) {
    return lab.size(20_000, 2_000);
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
  public List<String> cases(Lab lab) {
    return MillraceWorkload.few(lab, Shape.TITLES);
  }

  @Override
  public Map<String, Double> run(Lab lab, Peers peer, String oneCase) throws Exception {
    Database database = lab.server().create();
    boolean counts = lab.server().countsStatements();
    if (counts) {
      database.execute(
          "CREATE EXTENSION pg_stat_statements",
          "ALTER DATABASE " + database.name() + " SET pg_stat_statements.track = 'top'");
    }
    try {
      return lab.play(
          Drain.class,
          peer,
          database,
          Map.of("work", Shape.work(oneCase), "steps", steps(lab), "counts", counts));
    } finally {
      lab.server().drop(database);
    }
  }

  static final class Drain implements Part {

    private static final int WARM_UP_SHARE = 4;

    @Override
    public void play(Stage stage) throws Exception {
      Work work = Work.valueOf(stage.setting("work"));
      int steps = stage.number("steps");
      boolean counts = Boolean.parseBoolean(stage.setting("counts"));
      try (var pool = stage.database().pool(Shape.CONNECTIONS)) {
        Jobs jobs = Jobs.of(pool, work);
        jobs.warmUp(steps / work.steps() / WARM_UP_SHARE);
        jobs.enqueue(steps / work.steps());
        if (counts) {
          stage.database().execute("SELECT pg_stat_statements_reset()");
        }
        Meter meter = Meter.start(stage.database());
        jobs.drain(steps / work.steps());
        Usage usage = meter.stop();
        stage.figure("javaMillis", usage.javaMillis() / steps);
        stage.figure("serverMillis", usage.serverMillis() / steps);
        stage.figure("walBytes", usage.walBytes() / (double) steps);
        stage.figure("allocatedBytes", usage.allocatedBytes() / (double) steps);
      }
      if (counts) {
        tellCalls(stage, steps / 1_000.0);
      }
    }

    private static void tellCalls(Stage stage, double thousands) throws SQLException {
      double all = 0;
      try (Connection connection = stage.database().connect();
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(CALLS)) {
        while (rows.next()) {
          String kind = rows.getString("kind");
          double calls = rows.getDouble("calls");
          stage.figure(kind, calls / thousands);
          stage.figure(kind + "Millis", rows.getDouble("millis") / thousands);
          all += calls;
        }
      }
      stage.figure("calls", all / thousands);
    }
  }
}
