package io.millrace.benchmarks.workload.millrace;

import io.millrace.Engine;
import io.millrace.benchmarks.peer.Peers;
import io.millrace.benchmarks.peer.Work;
import io.millrace.benchmarks.postgres.Database;
import io.millrace.benchmarks.process.Part;
import io.millrace.benchmarks.process.Stage;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.Lab;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How long an engine takes to start in a new process that has its pool. */
final class Startup implements MillraceWorkload {

  private static final String H2 = "H2 in a file";
  private static final String POSTGRES = "PostgreSQL";

  @Override
  public String id() {
    return "X1";
  }

  @Override
  public String title(Lab lab) {
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
  public List<String> cases(Lab lab) {
    return List.of(H2, POSTGRES);
  }

  @Override
  public Map<String, Double> run(Lab lab, Peers peer, String oneCase) throws Exception {
    Database database = lab.server().create();
    try (H2Folder folder = H2Folder.create()) {
      String url = oneCase.equals(H2) ? folder.url() : database.url();
      Map<String, Double> figures = new HashMap<>();
      starts(lab, peer, database, url)
          .forEach((name, millis) -> figures.put(name + ", empty database", millis));
      figures.putAll(starts(lab, peer, database, url));
      return figures;
    } finally {
      lab.server().drop(database);
    }
  }

  private static Map<String, Double> starts(Lab lab, Peers peer, Database database, String url)
      throws Exception {
    return lab.play(Starts.class, peer, database, Map.of("url", url));
  }

  /** Starts an engine twice. */
  static final class Starts implements Part {
    @Override
    public void play(Stage stage) {
      try (var pool = Shape.pool(stage.setting("url"))) {
        Jobs jobs = Jobs.of(pool, Work.ONE_STEP);
        double cpu = cpuMillis();
        stage.figure("first", millis(jobs));
        stage.figure("cpu", cpuMillis() - cpu);
        stage.figure("second", millis(jobs));
      }
    }

    private static double millis(Jobs jobs) {
      long begin = System.nanoTime();
      Engine engine = jobs.start(new Run(0));
      double millis = (System.nanoTime() - begin) / 1e6;
      engine.close();
      return millis;
    }

    /** Of all threads, those of the compiler too; it tells more than the time on a busy machine. */
    private static double cpuMillis() {
      return ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElse(0L)
          / 1e6;
    }
  }
}
