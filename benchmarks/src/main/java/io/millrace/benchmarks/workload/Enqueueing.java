package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.measure.Usage;
import io.millrace.benchmarks.peer.Parallel;
import io.millrace.benchmarks.peer.Peer;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Peers;
import io.millrace.benchmarks.peer.Tuning;
import io.millrace.benchmarks.peer.Work;
import io.millrace.benchmarks.postgres.Database;
import io.millrace.benchmarks.process.Part;
import io.millrace.benchmarks.process.Stage;
import io.millrace.benchmarks.report.Column;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** How quickly work gets durably enqueued, by itself and in batches, while nobody works on it. */
record Enqueueing() implements Workload {

  private static final int THREADS = 8;

  @Override
  public String id() {
    return "W3";
  }

  @Override
  public String title(Lab lab) {
    return "enqueueing without a worker, %d x %,d single calls and a batch of %,d"
        .formatted(THREADS, singles(lab), batch(lab));
  }

  private static int singles(Lab lab) {
    return lab.size(1_000, 100);
  }

  private static int batch(Lab lab) {
    return lab.size(100_000, 5_000);
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
  public Map<String, Double> run(Lab lab, Peers peer, String oneCase) throws Exception {
    return lab.play(
        Enqueue.class,
        peer,
        Map.of("singles", singles(lab), "batch", batch(lab), "warmUp", lab.warmUp().toSeconds()));
  }

  /** Enqueues for a while to get warm, and then again on the clock. */
  static final class Enqueue implements Part {

    private static final int WARM_UP_SHARE = 10;

    @Override
    public void play(Stage stage) throws Exception {
      Database database = stage.database();
      Peer peer = stage.peer();
      peer.install(database);
      int perThread = stage.number("singles");
      int batch = stage.number("batch");
      try (PeerProcess process =
          peer.open(database, Tuning.THROUGHPUT, (work, step, payload) -> {})) {
        long warm = System.nanoTime() + Duration.ofSeconds(stage.number("warmUp")).toNanos();
        do {
          singles(process, perThread / WARM_UP_SHARE);
          process.enqueueAll(Work.ONE_STEP, batch / WARM_UP_SHARE);
        } while (System.nanoTime() < warm);
        Meter meter = Meter.start(database);
        singles(process, perThread);
        tell(stage, "single", THREADS * perThread, meter.stop());
        meter = Meter.start(database);
        process.enqueueAll(Work.ONE_STEP, batch);
        tell(stage, "batch", batch, meter.stop());
      }
    }

    private static void tell(Stage stage, String how, int count, Usage usage) {
      stage.figure(how, count / usage.seconds());
      stage.figure(how + "Millis", (usage.javaMillis() + usage.serverMillis()) / count);
    }

    /** Each call returns only when what it enqueued is durable. */
    private static void singles(PeerProcess process, int perThread) throws Exception {
      Parallel.calls(THREADS, THREADS * perThread, () -> process.enqueue(Work.ONE_STEP, ""));
    }
  }
}
