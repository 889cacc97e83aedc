package io.millrace.benchmarks.workload.millrace;

import io.millrace.Engine;
import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.peer.WorkType;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.process.RoleContext;
import io.millrace.benchmarks.process.RoleProcess;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.BenchmarkContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A workload that measures how fast several processes together complete enqueued jobs. */
final class MultiNodeWorkload implements MillraceWorkload {

  private static final int WARM_UP = 5_000;
  private static final long LIMIT_MINUTES = 10;
  private static final long LOOK_EVERY_MILLIS = 50;

  private static final String UNFINISHED =
      """
      SELECT CASE WHEN EXISTS (SELECT 1 FROM millrace_instance WHERE executor_id IS NOT NULL)
        OR EXISTS (SELECT 1 FROM millrace_instance WHERE executor_group = 'millrace'
          AND priority = 4 AND executor_id IS NULL AND status IN ('created', 'inProgress')
          AND next_activation_at IS NOT NULL) THEN 1 ELSE 0 END
      """;

  @Override
  public String id() {
    return "X3";
  }

  @Override
  public String title(BenchmarkContext context) {
    return "%,d enqueued jobs of one step, done by processes side by side"
        .formatted(count(context));
  }

  private static int count(BenchmarkContext context) {
    return context.size(60_000, 3_000);
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.moreIsBetter("jobs/s", "perSecond", 0),
        Column.lessIsBetter("CPU ms/job, server", "serverMillis", 3));
  }

  @Override
  public List<String> cases(BenchmarkContext context) {
    return MillraceWorkload.few(context, List.of("1 process", "3 processes"));
  }

  @Override
  public Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase)
      throws Exception {
    int count = count(context);
    int nodes = Integer.parseInt(oneCase.substring(0, 1));
    BenchmarkDatabase database = context.server().create();
    List<RoleProcess> processes = new ArrayList<>();
    try (var pool = database.pool(2)) {
      WorkRunner.of(pool, WorkType.ONE_STEP).enqueue(count);
      int warmUp = Math.min(WARM_UP, count);
      for (int i = 0; i < nodes; i++) {
        processes.add(context.start(Node.class, peer, database, Map.of("warmUp", warmUp)));
      }
      return together(database, processes, count);
    } finally {
      processes.forEach(RoleProcess::close);
      context.server().drop(database);
    }
  }

  private static Map<String, Double> together(
      BenchmarkDatabase database, List<RoleProcess> processes, int count) throws Exception {
    for (RoleProcess process : processes) {
      process.await("ready");
    }
    Meter meter = Meter.start(database);
    for (RoleProcess process : processes) {
      process.send("run");
    }
    awaitEnd(database);
    double serverMillis = meter.stop().serverMillis() / count;
    List<Map<String, Double>> figures = new ArrayList<>();
    for (RoleProcess process : processes) {
      process.send("stop");
      figures.add(process.finish());
    }
    double begun = figures.stream().mapToDouble(f -> f.get("begun")).min().orElseThrow();
    double ended = figures.stream().mapToDouble(f -> f.get("ended")).max().orElseThrow();
    return Map.of("perSecond", count / (ended - begun) * 1e3, "serverMillis", serverMillis);
  }

  private static void awaitEnd(BenchmarkDatabase database) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(LIMIT_MINUTES);
    while (database.number(UNFINISHED) > 0) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("The jobs were not done in " + LIMIT_MINUTES + " minutes.");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
    }
  }

  /** A role that works from the moment it is told to start until it is told to stop. */
  static final class Node implements ProcessRole {
    @Override
    public void run(RoleContext roleContext) throws Exception {
      try (var pool = roleContext.database().pool(WorkCases.CONNECTIONS)) {
        WorkRunner workRunner = WorkRunner.of(pool, WorkType.ONE_STEP);
        workRunner.warmUp(roleContext.number("warmUp"));
        roleContext.say("ready");
        roleContext.await("run");
        DrainMonitor drainMonitor = new DrainMonitor(Integer.MAX_VALUE);
        Engine engine = workRunner.start(drainMonitor);
        roleContext.await("stop");
        engine.close();
        roleContext.recordMeasurement("begun", drainMonitor.begun());
        roleContext.recordMeasurement("ended", drainMonitor.ended());
      }
    }
  }
}
