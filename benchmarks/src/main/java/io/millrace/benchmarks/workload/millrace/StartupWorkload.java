package io.millrace.benchmarks.workload.millrace;

import io.millrace.Engine;
import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.peer.WorkType;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.process.RoleContext;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.BenchmarkContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A workload that measures how long an engine takes to start in a new process with an open pool.
 */
final class StartupWorkload implements MillraceWorkload {

  private static final String H2 = "H2 in a file";
  private static final String POSTGRES = "PostgreSQL";

  @Override
  public String id() {
    return "X1";
  }

  @Override
  public String title(BenchmarkContext context) {
    return "milliseconds that an engine takes to start in a new process with an open pool";
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.lessIsBetter("empty database", "first, empty database", 0),
        Column.lessIsBetter("tables exist", "first", 0),
        Column.lessIsBetter("once more in that process", "second", 0),
        Column.lessIsBetter("CPU ms, empty database", "cpu, empty database", 0),
        Column.lessIsBetter("CPU ms, tables exist", "cpu", 0));
  }

  @Override
  public List<String> cases(BenchmarkContext context) {
    return List.of(H2, POSTGRES);
  }

  @Override
  public Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase)
      throws Exception {
    BenchmarkDatabase database = context.server().create();
    try (H2Folder folder = H2Folder.create()) {
      String url = oneCase.equals(H2) ? folder.url() : database.url();
      Map<String, Double> figures = new HashMap<>();
      starts(context, peer, database, url)
          .forEach((name, millis) -> figures.put(name + ", empty database", millis));
      figures.putAll(starts(context, peer, database, url));
      return figures;
    } finally {
      context.server().drop(database);
    }
  }

  private static Map<String, Double> starts(
      BenchmarkContext context, PeerKind peer, BenchmarkDatabase database, String url)
      throws Exception {
    return context.runAlone(Starts.class, peer, database, Map.of("url", url));
  }

  /** A role that starts an engine twice. */
  static final class Starts implements ProcessRole {
    @Override
    public void run(RoleContext roleContext) {
      try (var pool = WorkCases.pool(roleContext.setting("url"))) {
        WorkRunner workRunner = WorkRunner.of(pool, WorkType.ONE_STEP);
        double cpu = cpuMillis();
        roleContext.recordMeasurement("first", millis(workRunner));
        roleContext.recordMeasurement("cpu", cpuMillis() - cpu);
        roleContext.recordMeasurement("second", millis(workRunner));
      }
    }

    private static double millis(WorkRunner workRunner) {
      long begin = System.nanoTime();
      Engine engine = workRunner.start(new DrainMonitor(0));
      double millis = (System.nanoTime() - begin) / 1e6;
      engine.close();
      return millis;
    }

    /**
     * Returns the processor time of all threads, including those of the JIT compiler; on a busy
     * machine it is more telling than elapsed time.
     */
    private static double cpuMillis() {
      return ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElse(0L)
          / 1e6;
    }
  }
}
