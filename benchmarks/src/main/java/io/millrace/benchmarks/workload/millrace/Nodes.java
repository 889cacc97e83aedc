package io.millrace.benchmarks.workload.millrace;

import io.millrace.Engine;
import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.peer.Peers;
import io.millrace.benchmarks.peer.Work;
import io.millrace.benchmarks.postgres.Database;
import io.millrace.benchmarks.process.Part;
import io.millrace.benchmarks.process.PartProcess;
import io.millrace.benchmarks.process.Stage;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.Lab;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** How quickly several processes together do enqueued jobs. */
final class Nodes implements MillraceWorkload {

  private static final int WARM_UP = 5_000;
  private static final long LIMIT_MINUTES = 10;
  private static final long LOOK_EVERY_MILLIS = 50;

  private static final String UNFINISHED =
      """
      SELECT CASE WHEN EXISTS (SELECT 1 FROM millrace_workflow WHERE executor_id IS NOT NULL)
        OR EXISTS (SELECT 1 FROM millrace_workflow WHERE executor_group = 'millrace'
          AND priority = 4 AND executor_id IS NULL AND status IN ('created', 'inProgress')
          AND next_activation IS NOT NULL) THEN 1 ELSE 0 END
      """;

  @Override
  public String id() {
    return "X3";
  }

  @Override
  public String title(Lab lab) {
    return "%,d enqueued jobs of one step, done by processes side by side".formatted(count(lab));
  }

  private static int count(Lab lab) {
    return lab.size(60_000, 3_000);
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.moreIsBetter("jobs/s", "perSecond", 0),
        Column.lessIsBetter("CPU ms/job, server", "serverMillis", 3));
  }

  @Override
  public List<String> cases(Lab lab) {
    return MillraceWorkload.few(lab, List.of("1 process", "3 processes"));
  }

  @Override
  public Map<String, Double> run(Lab lab, Peers peer, String oneCase) throws Exception {
    int count = count(lab);
    int nodes = Integer.parseInt(oneCase.substring(0, 1));
    Database database = lab.server().create();
    List<PartProcess> processes = new ArrayList<>();
    try (var pool = database.pool(2)) {
      Jobs.of(pool, Work.ONE_STEP).enqueue(count);
      int warmUp = Math.min(WARM_UP, count);
      for (int i = 0; i < nodes; i++) {
        processes.add(lab.start(Node.class, peer, database, Map.of("warmUp", warmUp)));
      }
      return together(database, processes, count);
    } finally {
      processes.forEach(PartProcess::close);
      lab.server().drop(database);
    }
  }

  private static Map<String, Double> together(
      Database database, List<PartProcess> processes, int count) throws Exception {
    for (PartProcess process : processes) {
      process.await("ready");
    }
    Meter meter = Meter.start(database);
    for (PartProcess process : processes) {
      process.send("run");
    }
    awaitEnd(database);
    double serverMillis = meter.stop().serverMillis() / count;
    List<Map<String, Double>> figures = new ArrayList<>();
    for (PartProcess process : processes) {
      process.send("stop");
      figures.add(process.finish());
    }
    double begun = figures.stream().mapToDouble(f -> f.get("begun")).min().orElseThrow();
    double ended = figures.stream().mapToDouble(f -> f.get("ended")).max().orElseThrow();
    return Map.of("perSecond", count / (ended - begun) * 1e3, "serverMillis", serverMillis);
  }

  private static void awaitEnd(Database database) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(LIMIT_MINUTES);
    while (database.number(UNFINISHED) > 0) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("The jobs were not done in " + LIMIT_MINUTES + " minutes.");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
    }
  }

  /** Works from when it is told to until it is told to stop. */
  static final class Node implements Part {
    @Override
    public void play(Stage stage) throws Exception {
      try (var pool = stage.database().pool(Shape.CONNECTIONS)) {
        Jobs jobs = Jobs.of(pool, Work.ONE_STEP);
        jobs.warmUp(stage.number("warmUp"));
        stage.say("ready");
        stage.await("run");
        Run run = new Run(Integer.MAX_VALUE);
        Engine engine = jobs.start(run);
        stage.await("stop");
        engine.close();
        stage.figure("begun", run.begun());
        stage.figure("ended", run.ended());
      }
    }
  }
}
