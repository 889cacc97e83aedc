package io.millrace.benchmarks.workload.continuous;

import io.millrace.Engine;
import io.millrace.benchmarks.measure.Distribution;
import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.process.RoleContext;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.BenchmarkContext;
import io.millrace.benchmarks.workload.Workload;
import io.millrace.continuous.ContinuationPolicy;
import io.millrace.continuous.ContinuousSettings;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.store.ContinuousStore.LogEntry;
import io.millrace.store.ContinuousStore.LogEntryType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A workload that measures how fast a node ends the runs of very many continuous workflows and
 * starts their next runs.
 */
record ContinuationWorkload() implements Workload {

  @Override
  public String id() {
    return "X12";
  }

  @Override
  public String title(BenchmarkContext benchmarkContext) {
    return "%,d continuous workflows of one node that are continued at once, %d times"
        .formatted(workflows(benchmarkContext), waves(benchmarkContext));
  }

  private static int workflows(BenchmarkContext benchmarkContext) {
    return benchmarkContext.size(1_000, 50);
  }

  private static int waves(BenchmarkContext benchmarkContext) {
    return benchmarkContext.size(10, 2);
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.moreIsBetter("continuations/s", "perSecond", 0),
        Column.lessIsBetter("without a trigger p50, ms", "gap50", 1),
        Column.lessIsBetter("p99, ms", "gap99", 1));
  }

  @Override
  public boolean includes(PeerKind peer) {
    return peer == PeerKind.MILLRACE;
  }

  @Override
  public Map<String, Double> run(BenchmarkContext benchmarkContext, PeerKind peer, String oneCase)
      throws Exception {
    return benchmarkContext.runAlone(
        Waves.class,
        peer,
        Map.of(
            "workflows",
            workflows(benchmarkContext),
            "waves",
            waves(benchmarkContext),
            "warmUp",
            benchmarkContext.size(5, 1)));
  }

  static final class Waves implements ProcessRole {

    private static final int CONNECTIONS = 10;
    private static final Duration EVERY = Duration.ofSeconds(4);
    private static final int MAX_LOG = 100;
    private static final WorkflowDefinition EVENTS =
        WorkflowDefinition.of("beat").start("do", context -> Next.done("done")).build();

    @Override
    public void run(RoleContext roleContext) throws Exception {
      int warmUp = roleContext.number("warmUp");
      int last = warmUp + roleContext.number("waves");
      List<RunTimingTrigger> beats =
          IntStream.range(0, roleContext.number("workflows"))
              .mapToObj(i -> new RunTimingTrigger(last))
              .toList();
      ContinuousWorkflow[] workflows =
          IntStream.range(0, beats.size())
              .mapToObj(i -> ContinuousWorkflow.of("w" + i, beats.get(i)).runs(EVENTS))
              .toArray(ContinuousWorkflow[]::new);
      NavigableSet<Instant> begins = new ConcurrentSkipListSet<>();
      try (var pool = roleContext.database().pool(CONNECTIONS);
          Engine engine =
              Engine.builder()
                  .dataSource(watched(pool, begins))
                  .continuous(
                      ContinuousSettings.defaults()
                          .continuation(new ContinuationPolicy(true, Duration.ZERO, EVERY)))
                  .continuous(workflows)
                  .start()) {
        for (RunTimingTrigger runTimingTrigger : beats) {
          runTimingTrigger.awaitLast();
        }
        tell(roleContext, batches(engine, beats, warmUp), begins, beats.size());
        tellGaps(roleContext, beats, warmUp);
      }
    }

    /**
     * Returns a data source that records when the thread that decides about continuations starts a
     * transaction.
     */
    private static DataSource watched(DataSource pool, Set<Instant> begins) {
      return (DataSource)
          Proxy.newProxyInstance(
              DataSource.class.getClassLoader(),
              new Class<?>[] {DataSource.class},
              (proxy, method, args) -> {
                if (Thread.currentThread().getName().startsWith("millrace-continuous")) {
                  begins.add(Instant.now());
                }
                try {
                  return method.invoke(pool, args);
                } catch (InvocationTargetException e) {
                  throw e.getTargetException();
                }
              });
    }

    /**
     * Continuations that the database wrote in one transaction, and the start of the last new run.
     */
    private record Batch(int size, Instant end) {
      Batch and(Batch other) {
        return new Batch(size + other.size, end.isAfter(other.end) ? end : other.end);
      }

      double perSecond(@Nullable Instant begin) {
        return size * 1e9 / Duration.between(Objects.requireNonNull(begin), end).toNanos();
      }
    }

    /** Groups the continuations by the time at which the database wrote them. */
    private static Map<Instant, Batch> batches(
        Engine engine, List<RunTimingTrigger> beats, int warmUp) {
      Map<Instant, Batch> batches = new HashMap<>();
      for (int i = 0; i < beats.size(); i++) {
        RunTimingTrigger runTimingTrigger = beats.get(i);
        for (LogEntry entry : engine.continuous().log("w" + i, null, MAX_LOG)) {
          int run = Math.toIntExact(entry.run().generation()) - 1;
          if (entry.type() == LogEntryType.CONTINUED
              && run > warmUp
              && run <= runTimingTrigger.continuations()) {
            batches.merge(entry.at(), new Batch(1, runTimingTrigger.opened(run)), Batch::and);
          }
        }
      }
      return batches;
    }

    private static void tell(
        RoleContext roleContext,
        Map<Instant, Batch> batches,
        NavigableSet<Instant> begins,
        int workflows) {
      List<Double> perSecond =
          batches.entrySet().stream()
              .filter(batch -> batch.getValue().size * 2 > workflows)
              .map(batch -> batch.getValue().perSecond(begins.floor(batch.getKey())))
              .toList();
      roleContext.recordMeasurement("perSecond", Distribution.of(perSecond).median());
    }

    private static void tellGaps(
        RoleContext roleContext, List<RunTimingTrigger> beats, int warmUp) {
      List<Double> gaps = new ArrayList<>();
      for (RunTimingTrigger runTimingTrigger : beats) {
        for (int run = warmUp; run < runTimingTrigger.continuations(); run++) {
          gaps.add(runTimingTrigger.gap(run).toNanos() / 1e6);
        }
      }
      roleContext.recordMeasurement("gap50", Distribution.of(gaps).median());
      roleContext.recordMeasurement("gap99", Distribution.of(gaps).quantile(0.99));
    }
  }
}
