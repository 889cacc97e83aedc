package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.Distribution;
import io.millrace.benchmarks.peer.Peer;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Peers;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.Tuning;
import io.millrace.benchmarks.peer.Work;
import io.millrace.benchmarks.postgres.Database;
import io.millrace.benchmarks.process.Part;
import io.millrace.benchmarks.process.PartProcess;
import io.millrace.benchmarks.process.Stage;
import io.millrace.benchmarks.report.Column;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long an engine without other work takes from the call that starts a piece of work to its
 * handler, which may run in the process of the call or in another one.
 */
record Latency() implements Workload {

  private static final int STARTS = 400;
  private static final int QUICK = 25;

  /** The first starts, one in so many, only get the processes warm. */
  private static final int WARM_UP_SHARE = 4;

  /** An engine that rarely looks for work gets fewer starts. */
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @Override
  public String id() {
    return "W4";
  }

  @Override
  public String title(Lab lab) {
    return "from a start to its handler while idle, %d starts one by one".formatted(starts(lab));
  }

  private static int starts(Lab lab) {
    return lab.size(STARTS, QUICK);
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.lessIsBetter("same process p50, ms", "same50", 2),
        Column.lessIsBetter("p99, ms", "same99", 2),
        Column.lessIsBetter("other process p50, ms", "other50", 2),
        Column.lessIsBetter("p99, ms", "other99", 2));
  }

  @Override
  public Map<String, Double> run(Lab lab, Peers peer, String oneCase) throws Exception {
    Map<String, Double> figures =
        new HashMap<>(lab.play(SameProcess.class, peer, Map.of("starts", starts(lab))));
    figures.putAll(otherProcess(lab, peer));
    return figures;
  }

  /** This process conducts: it lets the caller start one piece after the other has its handler. */
  private static Map<String, Double> otherProcess(Lab lab, Peers peer)
      throws IOException, InterruptedException, SQLException {
    Database database = lab.server().create();
    try (PartProcess worker = lab.start(Worker.class, peer, database, Map.of())) {
      worker.await("works");
      try (PartProcess caller = lab.start(Caller.class, peer, database, Map.of())) {
        caller.await("ready");
        Gaps gaps = new Gaps(Duration.ofMillis(100));
        Instant end = Instant.now().plus(LIMIT);
        for (int i = 0; i < starts(lab) && Instant.now().isBefore(end); i++) {
          gaps.pause();
          long start = System.nanoTime();
          caller.send("start");
          worker.await("handled");
          gaps.took(System.nanoTime() - start);
        }
      }
      worker.send("stop");
      return worker.finish();
    } finally {
      lab.server().drop(database);
    }
  }

  /**
   * Waits between two starts, at random and up to the longest that one took so far. Else the starts
   * would keep step with an engine that polls, and fall always at the same time before it looks.
   */
  private static final class Gaps {

    private final long least;
    private long spread;

    Gaps(Duration least) {
      this.least = least.toNanos();
      this.spread = this.least;
    }

    void pause() throws InterruptedException {
      TimeUnit.NANOSECONDS.sleep(least + ThreadLocalRandom.current().nextLong(spread));
    }

    void took(long nanos) {
      spread = Math.max(spread, nanos);
    }
  }

  private static void tell(Stage stage, String where, Collection<Double> millis) {
    Distribution all =
        Distribution.of(millis.stream().skip(millis.size() / WARM_UP_SHARE).toList());
    stage.figure(where + "50", all.median());
    stage.figure(where + "99", all.quantile(0.99));
  }

  /** Starts work and does it. */
  static final class SameProcess implements Part {

    @Override
    public void play(Stage stage) throws Exception {
      BlockingQueue<Long> handled = new ArrayBlockingQueue<>(1);
      Probe probe = (work, step, payload) -> handled.add(System.nanoTime());
      Peer peer = stage.peer();
      peer.install(stage.database());
      List<Double> millis = new ArrayList<>();
      try (PeerProcess process = peer.open(stage.database(), Tuning.LATENCY, probe)) {
        process.run();
        Gaps gaps = new Gaps(Duration.ofMillis(30));
        Instant end = Instant.now().plus(LIMIT);
        int starts = stage.number("starts");
        for (int i = 0; i < starts && Instant.now().isBefore(end); i++) {
          gaps.pause();
          long nanos = sample(process, handled);
          gaps.took(nanos);
          millis.add(nanos / 1e6);
        }
      }
      tell(stage, "same", millis);
    }

    private static long sample(PeerProcess process, BlockingQueue<Long> handled) throws Exception {
      long start = System.nanoTime();
      process.enqueue(Work.ONE_STEP, "");
      @Nullable Long end = handled.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      if (end == null) {
        throw new IllegalStateException("No handler ran within " + LIMIT + ".");
      }
      return end - start;
    }
  }

  /** Does what the other process starts. Both read the one clock of this machine. */
  static final class Worker implements Part {

    @Override
    public void play(Stage stage) throws Exception {
      Queue<Double> millis = new ConcurrentLinkedQueue<>();
      Probe probe =
          (work, step, payload) -> {
            Duration passed = Duration.between(Instant.parse(payload), Instant.now());
            millis.add(passed.toNanos() / 1e6);
            stage.say("handled");
          };
      Peer peer = stage.peer();
      peer.install(stage.database());
      try (PeerProcess process = peer.open(stage.database(), Tuning.LATENCY, probe)) {
        process.run();
        stage.say("works");
        stage.await("stop");
      }
      tell(stage, "other", millis);
    }
  }

  /** Starts work for the other process, whenever it is told to, until it is killed. */
  static final class Caller implements Part {

    @Override
    public void play(Stage stage) throws Exception {
      Probe none = (work, step, payload) -> {};
      try (PeerProcess process = stage.peer().open(stage.database(), Tuning.LATENCY, none)) {
        stage.say("ready");
        while (true) {
          stage.await("start");
          process.enqueue(Work.ONE_STEP, Instant.now().toString());
        }
      }
    }
  }
}
