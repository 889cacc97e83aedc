package io.millrace.benchmarks.workload.millrace;

import io.millrace.Engine;
import io.millrace.benchmarks.peer.Peers;
import io.millrace.benchmarks.peer.Work;
import io.millrace.benchmarks.process.Part;
import io.millrace.benchmarks.process.Stage;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.Lab;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** How much heap an instance takes while its handler waits for something. */
final class Memory implements MillraceWorkload {

  @Override
  public String id() {
    return "X2";
  }

  @Override
  public String title(Lab lab) {
    return "heap of %,d instances whose handlers wait, each on its own virtual thread"
        .formatted(count(lab));
  }

  private static int count(Lab lab) {
    return lab.size(10_000, 1_000);
  }

  @Override
  public List<Column> columns() {
    return List.of(Column.lessIsBetter("bytes/instance", "bytes", 0));
  }

  @Override
  public Map<String, Double> run(Lab lab, Peers peer, String oneCase) throws Exception {
    return lab.play(Hold.class, peer, Map.of("count", count(lab)));
  }

  /** Compares the heap of an idle engine with that of the same engine when it holds instances. */
  static final class Hold implements Part {

    private static final int COLLECTIONS = 3;

    @Override
    public void play(Stage stage) throws Exception {
      int count = stage.number("count");
      CountDownLatch begun = new CountDownLatch(count);
      CountDownLatch end = new CountDownLatch(1);
      try (var pool = stage.database().pool(Shape.CONNECTIONS)) {
        Jobs jobs =
            Jobs.of(pool, Work.ONE_STEP)
                .with(
                    s -> s.concurrency(count).queueSize(0),
                    () -> {
                      begun.countDown();
                      end.await();
                    });
        jobs.warmUp(count);
        try (Engine engine = jobs.start(new Run(count))) {
          long idle = heap();
          jobs.enqueue(count);
          if (!begun.await(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException(
                "The engine holds %d of %d instances.".formatted(engine.held(), count));
          }
          stage.figure("bytes", (heap() - idle) / (double) count);
          end.countDown();
        }
      }
    }

    private static long heap() {
      for (int i = 0; i < COLLECTIONS; i++) {
        ManagementFactory.getMemoryMXBean().gc();
      }
      return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
  }
}
