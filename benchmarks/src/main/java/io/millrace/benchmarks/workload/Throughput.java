package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.measure.Usage;
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

/**
 * How quickly enqueued work gets durably done by one process, from the start of the engine.
 *
 * @param count how many pieces of work in a full run
 */
record Throughput(String id, Work work, int count) implements Workload {

  private static final int QUICK = 10;

  @Override
  public String title(Lab lab) {
    return "%,d enqueued pieces of work of %d step%s, until all are durably done"
        .formatted(size(lab), work.steps(), work.steps() == 1 ? "" : "s each");
  }

  private int size(Lab lab) {
    return lab.size(count, count / QUICK);
  }

  @Override
  public List<Column> columns() {
    String unit = work == Work.ONE_STEP ? "job" : "step";
    return List.of(
        Column.moreIsBetter(unit + "s/s", "perSecond", 0),
        Column.lessIsBetter("CPU ms/" + unit + ", Java", "javaMillis", 3),
        Column.lessIsBetter("CPU ms/" + unit + ", server", "serverMillis", 3),
        Column.lessIsBetter("WAL bytes/" + unit, "walBytes", 0));
  }

  @Override
  public Map<String, Double> run(Lab lab, Peers peer, String oneCase) throws Exception {
    return lab.play(
        Drain.class,
        peer,
        Map.of("work", work, "count", size(lab), "warmUp", lab.warmUp().toSeconds()));
  }

  /** Works for a while to get warm, and then again on the clock. */
  static final class Drain implements Part {

    private static final int WARM_UP_SHARE = 4;

    @Override
    public void play(Stage stage) throws Exception {
      Work work = Work.valueOf(stage.setting("work"));
      int count = stage.number("count");
      Peer peer = stage.peer();
      peer.install(stage.database());
      long warm = System.nanoTime() + Duration.ofSeconds(stage.number("warmUp")).toNanos();
      do {
        drain(peer, stage.database(), work, Math.max(1, count / WARM_UP_SHARE));
      } while (System.nanoTime() < warm);
      Usage usage = drain(peer, stage.database(), work, count);
      double units = (double) count * work.steps();
      stage.figure("perSecond", units / usage.seconds());
      stage.figure("javaMillis", usage.javaMillis() / units);
      stage.figure("serverMillis", usage.serverMillis() / units);
      stage.figure("walBytes", usage.walBytes() / units);
    }

    private static Usage drain(Peer peer, Database database, Work work, int count)
        throws Exception {
      Countdown countdown = new Countdown(count);
      try (PeerProcess process = peer.open(database, Tuning.THROUGHPUT, countdown)) {
        process.enqueueAll(work, count);
        Meter meter = Meter.start(database);
        process.run();
        countdown.await(process);
        Usage usage = meter.stop();
        if (process.unfinished() > 0) {
          throw new IllegalStateException("Not all that was reported as done is in the database.");
        }
        return usage;
      }
    }
  }
}
