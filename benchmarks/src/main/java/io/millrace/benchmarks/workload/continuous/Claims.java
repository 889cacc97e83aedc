package io.millrace.benchmarks.workload.continuous;

import io.millrace.Engine;
import io.millrace.benchmarks.measure.Distribution;
import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.measure.Usage;
import io.millrace.benchmarks.peer.Peers;
import io.millrace.benchmarks.process.Part;
import io.millrace.benchmarks.process.Stage;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.Lab;
import io.millrace.benchmarks.workload.Workload;
import io.millrace.data.FireClaim;
import io.millrace.data.FireId;
import io.millrace.data.FireRequest;
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

/** How long it takes to learn whether a period is one's own, while others want the same one. */
record Claims() implements Workload {

  private static final int CLIENTS = 16;

  @Override
  public String id() {
    return "X14";
  }

  @Override
  public String title(Lab lab) {
    return "%d clients who all claim the same %,d periods, one after the other"
        .formatted(CLIENTS, periods(lab));
  }

  private static int periods(Lab lab) {
    return lab.size(2_000, 50);
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
  public boolean includes(Peers peer) {
    return peer == Peers.MILLRACE;
  }

  @Override
  public Map<String, Double> run(Lab lab, Peers peer, String oneCase) throws Exception {
    return lab.play(
        Race.class,
        peer,
        Map.of("periods", periods(lab), "warmUp", lab.size(500, 5), "clients", CLIENTS));
  }

  static final class Race implements Part {

    @Override
    public void play(Stage stage) throws Exception {
      int clients = stage.number("clients");
      int periods = stage.number("periods");
      try (var pool = stage.database().pool(clients + 4);
          Engine engine = Engine.builder().dataSource(pool).start()) {
        race(engine, "before", clients, stage.number("warmUp"));
        Meter meter = Meter.start(stage.database());
        Distribution claims = race(engine, "race", clients, periods);
        Usage usage = meter.stop();
        double all = claims.size();
        stage.figure("claim50", claims.median());
        stage.figure("claim99", claims.quantile(0.99));
        stage.figure("perSecond", all / usage.seconds());
        stage.figure("javaMillis", usage.javaMillis() / all);
        stage.figure("serverMillis", usage.serverMillis() / all);
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
                  FireId id = new FireId(schedule, "p" + period);
                  long begin = System.nanoTime();
                  FireClaim claim =
                      engine
                          .fires()
                          .claim(FireRequest.atLeastOnce(id, client, Duration.ofHours(1)), null);
                  millis.add((System.nanoTime() - begin) / 1e6);
                  if (claim instanceof FireClaim.Claimed) {
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
