package io.millrace.benchmarks.workload.millrace;

import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.measure.ResourceUsage;
import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.peer.WorkType;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.process.RoleContext;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.BenchmarkContext;
import java.util.List;
import java.util.Map;

/**
 * A workload that measures how close jobs that mostly wait come to the throughput that their
 * concurrency allows.
 */
final class SlowStepsWorkload implements MillraceWorkload {

  private static final int AT_ONCE = 1_000;
  private static final int MILLIS = 100;

  @Override
  public String id() {
    return "X5";
  }

  @Override
  public String title(BenchmarkContext context) {
    return "%,d jobs that wait for %d ms, %,d at a time, which allows %,d/s"
        .formatted(count(context), MILLIS, AT_ONCE, ideal());
  }

  private static int count(BenchmarkContext context) {
    return context.size(50_000, 2_000);
  }

  private static int ideal() {
    return AT_ONCE * 1_000 / MILLIS;
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.moreIsBetter("jobs/s", "perSecond", 0),
        Column.moreIsBetter("% of what is possible", "share", 0),
        Column.lessIsBetter("CPU ms/job, Java", "javaMillis", 3),
        Column.lessIsBetter("CPU ms/job, server", "serverMillis", 3));
  }

  @Override
  public Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase)
      throws Exception {
    return context.runAlone(Drain.class, peer, Map.of("count", count(context)));
  }

  static final class Drain implements ProcessRole {

    private static final int WARM_UP = 500;

    @Override
    public void run(RoleContext roleContext) throws Exception {
      int count = roleContext.number("count");
      try (var pool = roleContext.database().pool(WorkCases.CONNECTIONS)) {
        WorkRunner workRunner =
            WorkRunner.of(pool, WorkType.ONE_STEP)
                .with(s -> s.concurrency(AT_ONCE), () -> Thread.sleep(MILLIS));
        workRunner.warmUp(WARM_UP);
        workRunner.enqueue(count);
        Meter meter = Meter.start(roleContext.database());
        DrainMonitor drainMonitor = workRunner.drain(count);
        ResourceUsage resourceUsage = meter.stop();
        double perSecond = count / drainMonitor.seconds();
        roleContext.recordMeasurement("perSecond", perSecond);
        roleContext.recordMeasurement("share", perSecond * 100 / ideal());
        roleContext.recordMeasurement("javaMillis", resourceUsage.javaMillis() / count);
        roleContext.recordMeasurement("serverMillis", resourceUsage.serverMillis() / count);
      }
    }
  }
}
