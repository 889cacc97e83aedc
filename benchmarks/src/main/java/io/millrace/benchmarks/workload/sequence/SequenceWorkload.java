package io.millrace.benchmarks.workload.sequence;

import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.benchmarks.broker.BenchmarkRabbitMq;
import io.millrace.benchmarks.measure.Distribution;
import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.measure.ResourceUsage;
import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.process.RoleContext;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.BenchmarkContext;
import io.millrace.benchmarks.workload.Workload;
import io.millrace.event.EngineEvent;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.rabbitmq.RabbitSettings;
import io.millrace.rabbitmq.RabbitTransport;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A workload that measures how fast task sequences complete, and how long it takes from one task to
 * the next.
 */
record SequenceWorkload() implements Workload {

  private static final String IN_PROCESS = "in the process";
  private static final String RABBITMQ = "over RabbitMQ";
  private static final List<String> TASKS = List.of("KPI", "PDF", "EMAIL");
  private static final int CONNECTIONS = 10;

  @Override
  public String id() {
    return "X10";
  }

  @Override
  public String title(BenchmarkContext benchmarkContext) {
    return "%,d sequences of three tasks, all of them due, until all are durably done; and one by one"
        .formatted(sequences(benchmarkContext));
  }

  private static int sequences(BenchmarkContext benchmarkContext) {
    return benchmarkContext.size(10_000, 300);
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.moreIsBetter("tasks/s", "perSecond", 0),
        Column.lessIsBetter("CPU ms/task, Java", "javaMillis", 3),
        Column.lessIsBetter("CPU ms/task, server", "serverMillis", 3),
        Column.lessIsBetter("hand-over p50, ms", "busy50", 1),
        Column.lessIsBetter("p99, ms", "busy99", 1),
        Column.lessIsBetter("one by one p50, ms", "idle50", 2),
        Column.lessIsBetter("p99, ms", "idle99", 2));
  }

  @Override
  public boolean includes(PeerKind peer) {
    return peer == PeerKind.MILLRACE;
  }

  @Override
  public List<String> cases(BenchmarkContext benchmarkContext) {
    return List.of(IN_PROCESS, RABBITMQ);
  }

  @Override
  public Map<String, Double> run(BenchmarkContext benchmarkContext, PeerKind peer, String oneCase)
      throws Exception {
    int sequences = sequences(benchmarkContext);
    if (oneCase.equals(IN_PROCESS)) {
      return benchmarkContext.runAlone(
          Drain.class, peer, Map.of("sequences", sequences, "uri", ""));
    }
    try (BenchmarkRabbitMq benchmarkRabbitMq = BenchmarkRabbitMq.start()) {
      return benchmarkContext.runAlone(
          Drain.class, peer, Map.of("sequences", sequences, "uri", benchmarkRabbitMq.uri()));
    }
  }

  /**
   * A role that runs sequences at default settings and observes how they proceed from task to task.
   */
  static final class Drain implements ProcessRole {

    private static final int WARM_UP_SHARE = 4;
    private static final int ONE_BY_ONE = 200;
    private static final long LIMIT_MINUTES = 5;
    private static final OperatorAction ACTION = OperatorAction.by("benchmark", "to measure");

    private final Map<Long, Long> left = new ConcurrentHashMap<>();
    private final Queue<Double> millis = new ConcurrentLinkedQueue<>();
    private volatile CountDownLatch ends = new CountDownLatch(0);

    @Override
    public void run(RoleContext roleContext) throws Exception {
      String uri = roleContext.setting("uri");
      try (var pool = roleContext.database().pool(CONNECTIONS);
          RabbitTransport transport =
              uri.isEmpty() ? null : RabbitTransport.open(RabbitSettings.of(uri));
          Engine engine = engine(pool, transport)) {
        int sequences = roleContext.number("sequences");
        int warmUp = sequences / WARM_UP_SHARE;
        Instant today = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        add(engine, "warm", today);
        add(engine, "main", today);
        SequenceCopier.make(roleContext.database(), sequences);
        drain(roleContext, "warm", warmUp);
        millis.clear();
        Meter meter = Meter.start(roleContext.database());
        long begin = System.nanoTime();
        drain(roleContext, "main", sequences);
        double seconds = (System.nanoTime() - begin) / 1e9;
        ResourceUsage resourceUsage = meter.stop();
        int tasks = sequences * TASKS.size();
        roleContext.recordMeasurement("perSecond", tasks / seconds);
        roleContext.recordMeasurement("javaMillis", resourceUsage.javaMillis() / tasks);
        roleContext.recordMeasurement("serverMillis", resourceUsage.serverMillis() / tasks);
        tell(roleContext, "busy");
        for (int i = 0; i < ONE_BY_ONE; i++) {
          ends = new CountDownLatch(1);
          engine.sequences().run("main", Map.of(), ACTION);
          await(1);
        }
        tell(roleContext, "idle");
      }
    }

    private Engine engine(DataSource pool, @Nullable RabbitTransport transport) {
      EngineBuilder builder = Engine.builder().dataSource(pool).listener(this::heard);
      if (transport != null) {
        builder.channels(transport);
      }
      for (String task : TASKS) {
        builder.task(
            Task.of(task, "Report").channel("BENCHMARK." + task),
            context -> {
              long now = System.nanoTime();
              Long before = left.put(context.executionId(), now);
              if (before != null) {
                millis.add((now - before) / 1e6);
              }
            });
      }
      return builder.start();
    }

    private static void add(Engine engine, String id, Instant slot) {
      TaskSequence sequence =
          TaskSequence.of(id, "Report", Schedule.every(Duration.ofDays(1), slot));
      for (String task : TASKS) {
        sequence = sequence.task(task);
      }
      engine.sequences().add(sequence);
    }

    private void drain(RoleContext roleContext, String id, int count) throws Exception {
      ends = new CountDownLatch(count);
      roleContext
          .database()
          .execute(
              "UPDATE millrace_sequence SET next_run_at = next_run_at - INTERVAL '1 day', due_at = now()"
                  + " WHERE sequence_id IN (SELECT '%s#' || n FROM generate_series(1, %d) AS n)"
                      .formatted(id, count));
      await(count);
    }

    private void heard(EngineEvent event) {
      if (event instanceof EngineEvent.TransitionSaved saved
          && saved.transition().status() == InstanceStatus.FINISHED) {
        left.remove(saved.instanceId());
        ends.countDown();
      }
    }

    private void await(int count) throws InterruptedException {
      if (!ends.await(LIMIT_MINUTES, TimeUnit.MINUTES)) {
        throw new IllegalStateException(
            "%d of %d sequences had not ended after %d minutes."
                .formatted(ends.getCount(), count, LIMIT_MINUTES));
      }
    }

    private void tell(RoleContext roleContext, String when) {
      Distribution all = Distribution.of(millis);
      roleContext.recordMeasurement(when + "50", all.median());
      roleContext.recordMeasurement(when + "99", all.quantile(0.99));
      millis.clear();
    }
  }
}
