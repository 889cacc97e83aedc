package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.measure.ResourceUsage;
import io.millrace.benchmarks.peer.Peer;
import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Tuning;
import io.millrace.benchmarks.peer.WorkType;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.process.RoleContext;
import io.millrace.benchmarks.report.Column;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A workload that measures how fast one process durably completes enqueued work, from the start of
 * the engine.
 *
 * @param count number of pieces of work in a full run
 */
record ThroughputWorkload(String id, WorkType work, int count) implements Workload {

  private static final int QUICK = 10;

  @Override
  public String title(BenchmarkContext context) {
    return "%,d enqueued pieces of work of %d step%s, until all are durably done"
        .formatted(size(context), work.steps(), work.steps() == 1 ? "" : "s each");
  }

  private int size(BenchmarkContext context) {
    return context.size(count, count / QUICK);
  }

  @Override
  public List<Column> columns() {
    String unit = work == WorkType.ONE_STEP ? "job" : "step";
    return List.of(
        Column.moreIsBetter(unit + "s/s", "perSecond", 0),
        Column.lessIsBetter("CPU ms/" + unit + ", Java", "javaMillis", 3),
        Column.lessIsBetter("CPU ms/" + unit + ", server", "serverMillis", 3),
        Column.lessIsBetter("WAL bytes/" + unit, "walBytes", 0));
  }

  @Override
  public Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase)
      throws Exception {
    return context.runAlone(
        Drain.class,
        peer,
        Map.of("work", work, "count", size(context), "warmUp", context.warmUp().toSeconds()));
  }

  /** A role that works for a while to warm up, and then again under measurement. */
  static final class Drain implements ProcessRole {

    private static final int WARM_UP_SHARE = 4;

    @Override
    public void run(RoleContext roleContext) throws Exception {
      WorkType workType = WorkType.valueOf(roleContext.setting("work"));
      int count = roleContext.number("count");
      Peer peer = roleContext.peer();
      peer.install(roleContext.database());
      long warm = System.nanoTime() + Duration.ofSeconds(roleContext.number("warmUp")).toNanos();
      do {
        drain(peer, roleContext.database(), workType, Math.max(1, count / WARM_UP_SHARE));
      } while (System.nanoTime() < warm);
      ResourceUsage resourceUsage = drain(peer, roleContext.database(), workType, count);
      double units = (double) count * workType.steps();
      roleContext.recordMeasurement("perSecond", units / resourceUsage.seconds());
      roleContext.recordMeasurement("javaMillis", resourceUsage.javaMillis() / units);
      roleContext.recordMeasurement("serverMillis", resourceUsage.serverMillis() / units);
      roleContext.recordMeasurement("walBytes", resourceUsage.walBytes() / units);
    }

    private static ResourceUsage drain(
        Peer peer, BenchmarkDatabase database, WorkType workType, int count) throws Exception {
      CompletionProbe completionProbe = new CompletionProbe(count);
      try (PeerProcess process = peer.open(database, Tuning.THROUGHPUT, completionProbe)) {
        process.enqueueAll(workType, count);
        Meter meter = Meter.start(database);
        process.run();
        completionProbe.await(process);
        ResourceUsage resourceUsage = meter.stop();
        if (process.unfinished() > 0) {
          throw new IllegalStateException("Not all that was reported as done is in the database.");
        }
        return resourceUsage;
      }
    }
  }
}
