package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.Distribution;
import io.millrace.benchmarks.peer.Peer;
import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.Tuning;
import io.millrace.benchmarks.peer.WorkType;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.process.RoleContext;
import io.millrace.benchmarks.process.RoleProcess;
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
 * A workload that measures the time from the call that starts a piece of work to its handler, on an
 * engine without other work. The handler runs in the process of the call or in another one.
 */
record LatencyWorkload() implements Workload {

  private static final int STARTS = 400;
  private static final int QUICK = 25;

  /** Divisor for the warm-up: one in this many starts, at the beginning, is not measured. */
  private static final int WARM_UP_SHARE = 4;

  /** Time limit; an engine that rarely polls for work gets fewer starts. */
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @Override
  public String id() {
    return "W4";
  }

  @Override
  public String title(BenchmarkContext context) {
    return "from a start to its handler while idle, %d starts one by one"
        .formatted(starts(context));
  }

  private static int starts(BenchmarkContext context) {
    return context.size(STARTS, QUICK);
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
  public Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase)
      throws Exception {
    Map<String, Double> figures =
        new HashMap<>(context.runAlone(SameProcess.class, peer, Map.of("starts", starts(context))));
    figures.putAll(otherProcess(context, peer));
    return figures;
  }

  /**
   * Measures across processes: the caller starts the next piece of work when the handler of the
   * previous one has run.
   */
  private static Map<String, Double> otherProcess(BenchmarkContext context, PeerKind peer)
      throws IOException, InterruptedException, SQLException {
    BenchmarkDatabase database = context.server().create();
    try (RoleProcess worker = context.start(Worker.class, peer, database, Map.of())) {
      worker.await("works");
      try (RoleProcess caller = context.start(Caller.class, peer, database, Map.of())) {
        caller.await("ready");
        Gaps gaps = new Gaps(Duration.ofMillis(100));
        Instant end = Instant.now().plus(LIMIT);
        for (int i = 0; i < starts(context) && Instant.now().isBefore(end); i++) {
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
      context.server().drop(database);
    }
  }

  /**
   * The random pauses between two starts, up to the longest time that a start has taken so far.
   * Without them the starts would fall into step with an engine that polls, always at the same time
   * before its next poll.
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

  private static void tell(RoleContext roleContext, String where, Collection<Double> millis) {
    Distribution all =
        Distribution.of(millis.stream().skip(millis.size() / WARM_UP_SHARE).toList());
    roleContext.recordMeasurement(where + "50", all.median());
    roleContext.recordMeasurement(where + "99", all.quantile(0.99));
  }

  /** A role that starts work and runs it. */
  static final class SameProcess implements ProcessRole {

    @Override
    public void run(RoleContext roleContext) throws Exception {
      BlockingQueue<Long> handled = new ArrayBlockingQueue<>(1);
      Probe probe = (workType, step, payload) -> handled.add(System.nanoTime());
      Peer peer = roleContext.peer();
      peer.install(roleContext.database());
      List<Double> millis = new ArrayList<>();
      try (PeerProcess process = peer.open(roleContext.database(), Tuning.LATENCY, probe)) {
        process.run();
        Gaps gaps = new Gaps(Duration.ofMillis(30));
        Instant end = Instant.now().plus(LIMIT);
        int starts = roleContext.number("starts");
        for (int i = 0; i < starts && Instant.now().isBefore(end); i++) {
          gaps.pause();
          long nanos = sample(process, handled);
          gaps.took(nanos);
          millis.add(nanos / 1e6);
        }
      }
      tell(roleContext, "same", millis);
    }

    private static long sample(PeerProcess process, BlockingQueue<Long> handled) throws Exception {
      long start = System.nanoTime();
      process.enqueue(WorkType.ONE_STEP, "");
      @Nullable Long end = handled.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      if (end == null) {
        throw new IllegalStateException("No handler ran within " + LIMIT + ".");
      }
      return end - start;
    }
  }

  /**
   * A role that runs the work of the other process. Both processes read the clock of this machine.
   */
  static final class Worker implements ProcessRole {

    @Override
    public void run(RoleContext roleContext) throws Exception {
      Queue<Double> millis = new ConcurrentLinkedQueue<>();
      Probe probe =
          (workType, step, payload) -> {
            Duration passed = Duration.between(Instant.parse(payload), Instant.now());
            millis.add(passed.toNanos() / 1e6);
            roleContext.say("handled");
          };
      Peer peer = roleContext.peer();
      peer.install(roleContext.database());
      try (PeerProcess process = peer.open(roleContext.database(), Tuning.LATENCY, probe)) {
        process.run();
        roleContext.say("works");
        roleContext.await("stop");
      }
      tell(roleContext, "other", millis);
    }
  }

  /** A role that starts work for the other process on request, until it is killed. */
  static final class Caller implements ProcessRole {

    @Override
    public void run(RoleContext roleContext) throws Exception {
      Probe none = (workType, step, payload) -> {};
      try (PeerProcess process =
          roleContext.peer().open(roleContext.database(), Tuning.LATENCY, none)) {
        roleContext.say("ready");
        while (true) {
          roleContext.await("start");
          process.enqueue(WorkType.ONE_STEP, Instant.now().toString());
        }
      }
    }
  }
}
