package io.millrace.benchmarks.workload.continuous;

import io.millrace.Engine;
import io.millrace.benchmarks.measure.Distribution;
import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.measure.ResourceUsage;
import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.process.RoleContext;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.BenchmarkContext;
import io.millrace.benchmarks.workload.Workload;
import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodClaimResult;
import io.millrace.data.PeriodId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A workload that measures how long a claim of a period takes while other clients claim the same
 * period.
 */
record PeriodClaimWorkload() implements Workload {

  private static final int CLIENTS = 16;

  @Override
  public String id() {
    return "X14";
  }

  @Override
  public String title(BenchmarkContext context) {
    return "%d clients that all claim the same %,d periods, one after the other"
        .formatted(CLIENTS, periods(context));
  }

  private static int periods(BenchmarkContext context) {
    return context.size(2_000, 50);
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.lessIsBetter("claim p50, ms", "claim50", 2),
        Column.lessIsBetter("p99, ms", "claim99", 2),
        Column.moreIsBetter("claims/s", "perSecond", 0),
        Column.lessIsBetter("CPU ms/claim, Java", "javaMillis", 3),
        Column.lessIsBetter("CPU ms/claim, server", "serverMillis", 3));
  }

  @Override
  public boolean includes(PeerKind peer) {
    return peer == PeerKind.MILLRACE;
  }

  @Override
  public Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase)
      throws Exception {
    return context.runAlone(
        Race.class,
        peer,
        Map.of("periods", periods(context), "warmUp", context.size(500, 5), "clients", CLIENTS));
  }

  static final class Race implements ProcessRole {

    @Override
    public void run(RoleContext roleContext) throws Exception {
      int clients = roleContext.number("clients");
      int periods = roleContext.number("periods");
      try (var pool = roleContext.database().pool(clients + 4);
          Engine engine = Engine.builder().dataSource(pool).start()) {
        race(engine, "before", clients, roleContext.number("warmUp"));
        Meter meter = Meter.start(roleContext.database());
        Distribution claims = race(engine, "race", clients, periods);
        ResourceUsage resourceUsage = meter.stop();
        double all = claims.size();
        roleContext.recordMeasurement("claim50", claims.median());
        roleContext.recordMeasurement("claim99", claims.quantile(0.99));
        roleContext.recordMeasurement("perSecond", all / resourceUsage.seconds());
        roleContext.recordMeasurement("javaMillis", resourceUsage.javaMillis() / all);
        roleContext.recordMeasurement("serverMillis", resourceUsage.serverMillis() / all);
      }
    }

    private static Distribution race(Engine engine, String schedule, int clients, int periods)
        throws Exception {
      Collection<Double> millis = new ConcurrentLinkedQueue<>();
      AtomicInteger won = new AtomicInteger();
      try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
          String client = "client " + i;
          ends.add(
              threads.submit(() -> {
                for (int period = 0; period < periods; period++) {
                  PeriodId id = new PeriodId(schedule, "p" + period);
                  long begin = System.nanoTime();
                  PeriodClaimResult claim =
                      engine
                          .periodLedger()
                          .claim(PeriodClaimRequest.atLeastOnce(id, client, Duration.ofHours(1)));
                  millis.add((System.nanoTime() - begin) / 1e6);
                  if (claim instanceof PeriodClaimResult.Claimed) {
                    won.incrementAndGet();
                  }
                }
              }));
        }
        for (Future<?> end : ends) {
          end.get();
        }
      }
      if (won.get() != periods) {
        throw new IllegalStateException(won + " claims were accepted for " + periods + " periods");
      }
      return Distribution.of(millis);
    }
  }
}
