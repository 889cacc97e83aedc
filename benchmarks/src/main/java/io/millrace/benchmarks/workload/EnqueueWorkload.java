package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.measure.ResourceUsage;
import io.millrace.benchmarks.peer.ParallelCalls;
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
 * A workload that measures the rate of durable enqueueing, one by one and in batches, while no
 * engine works on the queue.
 */
record EnqueueWorkload() implements Workload {

  private static final int THREADS = 8;

  @Override
  public String id() {
    return "W3";
  }

  @Override
  public String title(BenchmarkContext context) {
    return "enqueueing without a worker, %d x %,d single calls and a batch of %,d"
        .formatted(THREADS, singles(context), batch(context));
  }

  private static int singles(BenchmarkContext context) {
    return context.size(1_000, 100);
  }

  private static int batch(BenchmarkContext context) {
    return context.size(100_000, 5_000);
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.moreIsBetter("singles/s from %d threads".formatted(THREADS), "single", 0),
        Column.lessIsBetter("CPU ms/single", "singleMillis", 3),
        Column.moreIsBetter("batch/s", "batch", 0),
        Column.lessIsBetter("CPU ms/batch insert", "batchMillis", 3));
  }

  @Override
  public Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase)
      throws Exception {
    return context.runAlone(
        Enqueue.class,
        peer,
        Map.of(
            "singles",
            singles(context),
            "batch",
            batch(context),
            "warmUp",
            context.warmUp().toSeconds()));
  }

  /** A role that enqueues for a while to warm up, and then again under measurement. */
  static final class Enqueue implements ProcessRole {

    private static final int WARM_UP_SHARE = 10;

    @Override
    public void run(RoleContext roleContext) throws Exception {
      BenchmarkDatabase database = roleContext.database();
      Peer peer = roleContext.peer();
      peer.install(database);
      int perThread = roleContext.number("singles");
      int batch = roleContext.number("batch");
      try (PeerProcess process =
          peer.open(database, Tuning.THROUGHPUT, (workType, step, payload) -> {})) {
        long warm = System.nanoTime() + Duration.ofSeconds(roleContext.number("warmUp")).toNanos();
        do {
          singles(process, perThread / WARM_UP_SHARE);
          process.enqueueAll(WorkType.ONE_STEP, batch / WARM_UP_SHARE);
        } while (System.nanoTime() < warm);
        Meter meter = Meter.start(database);
        singles(process, perThread);
        tell(roleContext, "single", THREADS * perThread, meter.stop());
        meter = Meter.start(database);
        process.enqueueAll(WorkType.ONE_STEP, batch);
        tell(roleContext, "batch", batch, meter.stop());
      }
    }

    private static void tell(
        RoleContext roleContext, String how, int count, ResourceUsage resourceUsage) {
      roleContext.recordMeasurement(how, count / resourceUsage.seconds());
      roleContext.recordMeasurement(
          how + "Millis", (resourceUsage.javaMillis() + resourceUsage.serverMillis()) / count);
    }

    /** Enqueues one by one; each call returns only when its work is durable. */
    private static void singles(PeerProcess process, int perThread) throws Exception {
      ParallelCalls.calls(
          THREADS, THREADS * perThread, () -> process.enqueue(WorkType.ONE_STEP, ""));
    }
  }
}
