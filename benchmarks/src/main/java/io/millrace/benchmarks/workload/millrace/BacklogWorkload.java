package io.millrace.benchmarks.workload.millrace;

import io.millrace.Engine;
import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.measure.ResourceUsage;
import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.peer.WorkType;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.process.RoleContext;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.BenchmarkContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A workload that measures how fast jobs complete beside many ended rows, or beside many due ones.
 */
final class BacklogWorkload implements MillraceWorkload {

  /**
   * Filled databases. Filling takes minutes and a run adds little, so one database serves all
   * rounds.
   */
  private final Map<Case, BenchmarkDatabase> filled = new HashMap<>();

  /**
   * A case: the rows that exist when the measurement starts, either ended ones beside those of the
   * jobs or due ones.
   */
  private record Case(int rows, boolean ended) {
    @Override
    public String toString() {
      return "%,d rows %s".formatted(rows, ended ? "ended before" : "due");
    }

    static Stream<Case> all(BenchmarkContext context) {
      int[] ended = context.quick() ? new int[] {0, 20_000} : new int[] {0, 1_000_000, 10_000_000};
      int[] due = context.quick() ? new int[] {} : new int[] {1_000, 10_000, 100_000, 1_000_000};
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
  public String title(BenchmarkContext context) {
    return "%,d jobs of one step, or as many as are due, beside other rows"
        .formatted(count(context));
  }

  private static int count(BenchmarkContext context) {
    return context.size(20_000, 2_000);
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
  public List<String> cases(BenchmarkContext context) {
    return Case.all(context).map(Case::toString).toList();
  }

  @Override
  public Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase)
      throws Exception {
    Case wanted =
        Case.all(context).filter(c -> c.toString().equals(oneCase)).findFirst().orElseThrow();
    if (wanted.ended) {
      BenchmarkDatabase database = filled.get(wanted);
      if (database == null) {
        database = fill(context, wanted);
        filled.put(wanted, database);
      }
      return context.runAlone(
          Drain.class, peer, database, Map.of("enqueue", count(context), "drain", count(context)));
    }
    BenchmarkDatabase database = fill(context, wanted);
    try {
      int drain = Math.min(count(context), wanted.rows);
      return context.runAlone(Drain.class, peer, database, Map.of("enqueue", 0, "drain", drain));
    } finally {
      context.server().drop(database);
    }
  }

  private static BenchmarkDatabase fill(BenchmarkContext context, Case wanted) throws Exception {
    BenchmarkDatabase database = context.server().create();
    try (var pool = database.pool(WorkCases.CONNECTIONS)) {
      WorkRunner workRunner = WorkRunner.of(pool, WorkType.ONE_STEP);
      workRunner.enqueue(1);
      if (wanted.ended) {
        workRunner.drain(1);
      }
    }
    InstanceCopier.make(database, wanted.rows - 1);
    return database;
  }

  /** A role that enqueues jobs and completes some of those that are due, under measurement. */
  static final class Drain implements ProcessRole {

    private static final int WARM_UP = 5_000;

    @Override
    public void run(RoleContext roleContext) throws Exception {
      int count = roleContext.number("drain");
      try (var pool = roleContext.database().pool(WorkCases.CONNECTIONS)) {
        WorkRunner workRunner = WorkRunner.of(pool, WorkType.ONE_STEP);
        workRunner.warmUp(Math.min(count, WARM_UP));
        workRunner.enqueue(roleContext.number("enqueue"));
        DrainMonitor drainMonitor = new DrainMonitor(count);
        Meter meter = Meter.start(roleContext.database());
        ResourceUsage resourceUsage;
        try (Engine engine = workRunner.start(drainMonitor)) {
          drainMonitor.await(engine);
          resourceUsage = meter.stop();
        }
        roleContext.recordMeasurement("perSecond", count / drainMonitor.seconds());
        roleContext.recordMeasurement("claim", drainMonitor.claims().median());
        roleContext.recordMeasurement("longestClaim", drainMonitor.claims().max());
        roleContext.recordMeasurement("save", drainMonitor.saves().median());
        roleContext.recordMeasurement("serverMillis", resourceUsage.serverMillis() / count);
        roleContext.recordMeasurement("walBytes", resourceUsage.walBytes() / (double) count);
      }
    }
  }
}
