package io.millrace.benchmarks.workload.millrace;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.benchmarks.measure.Distribution;
import io.millrace.benchmarks.peer.Peers;
import io.millrace.benchmarks.peer.Work;
import io.millrace.benchmarks.postgres.Database;
import io.millrace.benchmarks.process.Part;
import io.millrace.benchmarks.process.Stage;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.Lab;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

/** How quickly questions are answered, and jobs done, beside a long history. */
final class LongHistory implements MillraceWorkload {

  private static final String COUNTS =
      "SELECT count(*) FROM (SELECT state, status, count(*) FROM millrace_workflow"
          + " GROUP BY state, status) states";

  /** Filling takes minutes, and a run adds little, so a database serves all rounds. */
  private final Map<String, Database> filled = new HashMap<>();

  @Override
  public String id() {
    return "X6";
  }

  @Override
  public String title(Lab lab) {
    return "ms to answer (p50), and %,d jobs of one step, beside a history".formatted(jobs(lab));
  }

  private static int jobs(Lab lab) {
    return lab.size(20_000, 2_000);
  }

  private static int actions(Lab lab) {
    return lab.size(10_000_000, 50_000);
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.moreIsBetter("jobs/s", "perSecond", 0),
        Column.lessIsBetter("instance and its history", "instance", 2),
        Column.lessIsBetter("page of a type", "type", 2),
        Column.lessIsBetter("page of a status", "status", 2),
        Column.lessIsBetter("page of failed ones", "failed", 2),
        Column.lessIsBetter("page of open ones", "open", 2),
        Column.lessIsBetter("counts of states in SQL", "counts", 0));
  }

  @Override
  public List<String> cases(Lab lab) {
    return MillraceWorkload.few(lab, List.of(title(Work.FIVE_STEPS.steps()), title(actions(lab))));
  }

  private static String title(int actions) {
    return "%,d actions".formatted(actions);
  }

  @Override
  public Map<String, Double> run(Lab lab, Peers peer, String oneCase) throws Exception {
    Database database = filled.get(oneCase);
    if (database == null) {
      int actions = oneCase.equals(title(actions(lab))) ? actions(lab) : Work.FIVE_STEPS.steps();
      database = fill(lab, actions / Work.FIVE_STEPS.steps());
      filled.put(oneCase, database);
    }
    return lab.play(Ask.class, peer, database, Map.of("jobs", jobs(lab)));
  }

  private static Database fill(Lab lab, int instances) throws Exception {
    Database database = lab.server().create();
    try (var pool = database.pool(2)) {
      Jobs jobs = Jobs.of(pool, Work.FIVE_STEPS);
      jobs.enqueue(1);
      jobs.drain(1);
    }
    Copies.make(database, instances - 1);
    return database;
  }

  /** Asks each question several times, and then does some jobs. */
  static final class Ask implements Part {

    private static final int TIMES = 51;
    private static final int TIMES_FOR_COUNTS = 3;
    private static final int WARM_UP = 5_000;

    @Override
    public void play(Stage stage) throws Exception {
      int count = stage.number("jobs");
      try (var pool = stage.database().pool(Shape.CONNECTIONS)) {
        Jobs jobs = Jobs.of(pool, Work.ONE_STEP);
        jobs.warmUp(Math.min(WARM_UP, count));
        ask(stage);
        jobs.enqueue(count);
        stage.figure("perSecond", count / jobs.drain(count).seconds());
      }
    }

    private static void ask(Stage stage) throws Exception {
      Database database = stage.database();
      long newest =
          database.number(
              "SELECT max(workflow_id) FROM millrace_workflow_action WHERE seq = "
                  + Work.FIVE_STEPS.steps());
      InstanceQuery all = InstanceQuery.all();
      try (var pool = database.pool(2);
          Engine engine =
              Engine.builder().dataSource(pool).settings(s -> s.autostart(false)).start()) {
        WorkflowClient client = engine.client();
        stage.figure(
            "instance",
            median(
                TIMES,
                () -> {
                  long id = ThreadLocalRandom.current().nextLong(newest) + 1;
                  return client.find(id).map(found -> client.history(found.id()));
                }));
        InstanceQuery type = all.type(Work.FIVE_STEPS.name());
        stage.figure("type", median(TIMES, () -> client.search(type)));
        InstanceQuery finished = type.status(InstanceStatus.FINISHED);
        stage.figure("status", median(TIMES, () -> client.search(finished)));
        InstanceQuery failed = all.status(InstanceStatus.FAILED, InstanceStatus.MANUAL);
        stage.figure("failed", median(TIMES, () -> client.search(failed)));
        InstanceQuery open =
            all.status(
                InstanceStatus.CREATED, InstanceStatus.IN_PROGRESS, InstanceStatus.EXECUTING);
        stage.figure("open", median(TIMES_FOR_COUNTS, () -> client.search(open)));
      }
      stage.figure("counts", median(TIMES_FOR_COUNTS, () -> database.number(COUNTS)));
    }

    private static double median(int times, Callable<?> question) throws Exception {
      List<Double> millis = new ArrayList<>();
      for (int i = 0; i < times; i++) {
        long begin = System.nanoTime();
        question.call();
        millis.add((System.nanoTime() - begin) / 1e6);
      }
      return Distribution.of(millis).median();
    }
  }
}
