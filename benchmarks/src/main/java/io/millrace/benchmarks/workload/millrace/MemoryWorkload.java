package io.millrace.benchmarks.workload.millrace;

import io.millrace.Engine;
import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.peer.WorkType;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.process.RoleContext;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.BenchmarkContext;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A workload that measures how much heap an instance takes while its handler waits. */
final class MemoryWorkload implements MillraceWorkload {

  @Override
  public String id() {
    return "X2";
  }

  @Override
  public String title(BenchmarkContext context) {
    return "heap of %,d instances whose handlers wait, each on its own virtual thread"
        .formatted(count(context));
  }

  private static int count(BenchmarkContext context) {
    return context.size(10_000, 1_000);
  }

  @Override
  public List<Column> columns() {
    return List.of(Column.lessIsBetter("bytes/instance", "bytes", 0));
  }

  @Override
  public Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase)
      throws Exception {
    return context.runAlone(Hold.class, peer, Map.of("count", count(context)));
  }

  /**
   * A role that compares the heap of an idle engine with that of the same engine when it holds
   * instances.
   */
  static final class Hold implements ProcessRole {

    private static final int COLLECTIONS = 3;

    @Override
    public void run(RoleContext roleContext) throws Exception {
      int count = roleContext.number("count");
      CountDownLatch begun = new CountDownLatch(count);
      CountDownLatch end = new CountDownLatch(1);
      try (var pool = roleContext.database().pool(WorkCases.CONNECTIONS)) {
        WorkRunner workRunner =
            WorkRunner.of(pool, WorkType.ONE_STEP)
                .with(
                    s -> s.concurrency(count).queueSize(0),
                    () -> {
                      begun.countDown();
                      end.await();
                    });
        workRunner.warmUp(count);
        try (Engine engine = workRunner.start(new DrainMonitor(count))) {
          long idle = heap();
          workRunner.enqueue(count);
          if (!begun.await(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException(
                "The engine holds %d of %d instances."
                    .formatted(engine.leasedInstanceCount(), count));
          }
          roleContext.recordMeasurement("bytes", (heap() - idle) / (double) count);
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
