package io.millrace.benchmarks.workload.millrace;

import io.millrace.Engine;
import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.measure.Usage;
import io.millrace.benchmarks.peer.Peers;
import io.millrace.benchmarks.peer.Work;
import io.millrace.benchmarks.postgres.Database;
import io.millrace.benchmarks.process.Part;
import io.millrace.benchmarks.process.Stage;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.Lab;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** How quickly jobs get done beside many rows that have ended, or with many that are due. */
final class Backlog implements MillraceWorkload {

  /** Filling takes minutes, and a run adds little, so a database serves all rounds. */
  private final Map<Case, Database> filled = new HashMap<>();

  /** The rows that are there when the clock starts, beside those of the jobs if {@code ended}. */
  private record Case(int rows, boolean ended) {
    @Override
    public String toString() {
      return "%,d rows %s".formatted(rows, ended ? "ended before" : "due");
    }

    static Stream<Case> all(Lab lab) {
      int[] ended = lab.quick() ? new int[] {0, 20_000} : new int[] {0, 1_000_000, 10_000_000};
      int[] due = lab.quick() ? new int[] {} : new int[] {1_000, 10_000, 100_000, 1_000_000};
      return Stream.concat(
          IntStream.of(ended).mapToObj(rows -> new Case(rows, true)),
          IntStream.of(due).mapToObj(rows -> new Case(rows, false)));
    }
  }

  @Override
  public String id() {
    return "W6";
  }

  @Override
  public String title(Lab lab) {
    return "%,d jobs of one step, or as many as are due, beside other rows".formatted(count(lab));
  }

  private static int count(Lab lab) {
    return lab.size(20_000, 2_000);
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.moreIsBetter("jobs/s", "perSecond", 0),
        Column.lessIsBetter("ms/claim, p50", "claim", 1),
        Column.lessIsBetter("ms/claim, longest", "longestClaim", 1),
        Column.lessIsBetter("ms/save, p50", "save", 1),
        Column.lessIsBetter("CPU ms/job, server", "serverMillis", 3),
        Column.lessIsBetter("WAL bytes/job", "walBytes", 0));
  }

  @Override
  public List<String> cases(Lab lab) {
    return Case.all(lab).map(Case::toString).toList();
  }

  @Override
  public Map<String, Double> run(Lab lab, Peers peer, String oneCase) throws Exception {
    Case wanted = Case.all(lab).filter(c -> c.toString().equals(oneCase)).findFirst().orElseThrow();
    if (wanted.ended) {
      Database database = filled.get(wanted);
      if (database == null) {
        database = fill(lab, wanted);
        filled.put(wanted, database);
      }
      return lab.play(
          Drain.class, peer, database, Map.of("enqueue", count(lab), "drain", count(lab)));
    }
    Database database = fill(lab, wanted);
    try {
      int drain = Math.min(count(lab), wanted.rows);
      return lab.play(Drain.class, peer, database, Map.of("enqueue", 0, "drain", drain));
    } finally {
      lab.server().drop(database);
    }
  }

  private static Database fill(Lab lab, Case wanted) throws Exception {
    Database database = lab.server().create();
    try (var pool = database.pool(Shape.CONNECTIONS)) {
      Jobs jobs = Jobs.of(pool, Work.ONE_STEP);
      jobs.enqueue(1);
      if (wanted.ended) {
        jobs.drain(1);
      }
    }
    Copies.make(database, wanted.rows - 1);
    return database;
  }

  /** Enqueues some jobs, and does some of those that are due then on the clock. */
  static final class Drain implements Part {

    private static final int WARM_UP = 5_000;

    @Override
    public void play(Stage stage) throws Exception {
      int count = stage.number("drain");
      try (var pool = stage.database().pool(Shape.CONNECTIONS)) {
        Jobs jobs = Jobs.of(pool, Work.ONE_STEP);
        jobs.warmUp(Math.min(count, WARM_UP));
        jobs.enqueue(stage.number("enqueue"));
        Run run = new Run(count);
        Meter meter = Meter.start(stage.database());
        Usage usage;
        try (Engine engine = jobs.start(run)) {
          run.await(engine);
          usage = meter.stop();
        }
        stage.figure("perSecond", count / run.seconds());
        stage.figure("claim", run.claims().median());
        stage.figure("longestClaim", run.claims().max());
        stage.figure("save", run.saves().median());
        stage.figure("serverMillis", usage.serverMillis() / count);
        stage.figure("walBytes", usage.walBytes() / (double) count);
      }
    }
  }
}
