package io.millrace.benchmarks.workload.millrace;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.benchmarks.measure.Distribution;
import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.peer.WorkType;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.process.RoleContext;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.BenchmarkContext;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A workload that measures how fast queries are answered and jobs complete beside a long history.
 */
final class LongHistoryWorkload implements MillraceWorkload {

  private static final String COUNTS =
      "SELECT count(*) FROM (SELECT state, status, count(*) FROM millrace_instance"
          + " GROUP BY state, status) states";

  /**
   * Filled databases. Filling takes minutes and a run adds little, so one database serves all
   * rounds.
   */
  private final Map<String, BenchmarkDatabase> filled = new HashMap<>();

  @Override
  public String id() {
    return "X6";
  }

  @Override
  public String title(BenchmarkContext context) {
    return "ms to answer (p50), and %,d jobs of one step, beside a history"
        .formatted(jobs(context));
  }

  private static int jobs(BenchmarkContext context) {
    return context.size(20_000, 2_000);
  }

  private static int actions(BenchmarkContext context) {
    return context.size(10_000_000, 50_000);
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
  public List<String> cases(BenchmarkContext context) {
    return MillraceWorkload.few(
        context, List.of(title(WorkType.FIVE_STEPS.steps()), title(actions(context))));
  }

  private static String title(int actions) {
    return "%,d actions".formatted(actions);
  }

  @Override
  public Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase)
      throws Exception {
    BenchmarkDatabase database = filled.get(oneCase);
    if (database == null) {
      int actions =
          oneCase.equals(title(actions(context))) ? actions(context) : WorkType.FIVE_STEPS.steps();
      database = fill(context, actions / WorkType.FIVE_STEPS.steps());
      filled.put(oneCase, database);
    }
    return context.runAlone(Ask.class, peer, database, Map.of("jobs", jobs(context)));
  }

  private static BenchmarkDatabase fill(BenchmarkContext context, int instances) throws Exception {
    BenchmarkDatabase database = context.server().create();
    try (var pool = database.pool(2)) {
      WorkRunner workRunner = WorkRunner.of(pool, WorkType.FIVE_STEPS);
      workRunner.enqueue(1);
      workRunner.drain(1);
    }
    InstanceCopier.make(database, instances - 1);
    return database;
  }

  /** A role that runs each query several times and then completes some jobs. */
  static final class Ask implements ProcessRole {

    private static final int TIMES = 51;
    private static final int TIMES_FOR_COUNTS = 3;
    private static final int WARM_UP = 5_000;

    @Override
    public void run(RoleContext roleContext) throws Exception {
      int count = roleContext.number("jobs");
      try (var pool = roleContext.database().pool(WorkCases.CONNECTIONS)) {
        WorkRunner workRunner = WorkRunner.of(pool, WorkType.ONE_STEP);
        workRunner.warmUp(Math.min(WARM_UP, count));
        ask(roleContext);
        workRunner.enqueue(count);
        roleContext.recordMeasurement("perSecond", count / workRunner.drain(count).seconds());
      }
    }

    private static void ask(RoleContext roleContext) throws Exception {
      BenchmarkDatabase database = roleContext.database();
      long newest =
          database.number(
              "SELECT max(instance_id) FROM millrace_history WHERE seq = "
                  + WorkType.FIVE_STEPS.steps());
      InstanceQuery all = InstanceQuery.all();
      try (var pool = database.pool(2);
          Engine engine =
              Engine.builder().dataSource(pool).settings(s -> s.runsInstances(false)).start()) {
        WorkflowClient client = engine.client();
        roleContext.recordMeasurement(
            "instance",
            median(
                TIMES,
                () -> {
                  long id = ThreadLocalRandom.current().nextLong(newest) + 1;
                  return client.find(id).map(found -> client.history(found.id()));
                }));
        InstanceQuery type = all.type(WorkType.FIVE_STEPS.name());
        roleContext.recordMeasurement("type", median(TIMES, () -> client.search(type)));
        InstanceQuery finished = type.status(InstanceStatus.FINISHED);
        roleContext.recordMeasurement("status", median(TIMES, () -> client.search(finished)));
        InstanceQuery failed = all.status(InstanceStatus.FAILED, InstanceStatus.MANUAL);
        roleContext.recordMeasurement("failed", median(TIMES, () -> client.search(failed)));
        InstanceQuery open =
            all.status(
                InstanceStatus.CREATED, InstanceStatus.IN_PROGRESS, InstanceStatus.EXECUTING);
        roleContext.recordMeasurement("open", median(TIMES_FOR_COUNTS, () -> client.search(open)));
      }
      roleContext.recordMeasurement(
          "counts", median(TIMES_FOR_COUNTS, () -> database.number(COUNTS)));
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
