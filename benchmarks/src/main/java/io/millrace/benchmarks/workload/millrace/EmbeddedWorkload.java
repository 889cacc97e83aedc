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

/** A workload that measures how fast enqueued work completes in an H2 database in a file. */
final class EmbeddedWorkload implements MillraceWorkload {

  @Override
  public String id() {
    return "X4";
  }

  @Override
  public String title(BenchmarkContext context) {
    return "%,d steps on H2 in a file, until all are durably done".formatted(steps(context));
  }

  private static int steps(BenchmarkContext context) {
    return context.size(20_000, 2_000);
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.moreIsBetter("steps/s", "perSecond", 0),
        Column.lessIsBetter("CPU ms/step", "javaMillis", 3));
  }

  @Override
  public List<String> cases(BenchmarkContext context) {
    return MillraceWorkload.few(context, WorkCases.TITLES);
  }

  @Override
  public Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase)
      throws Exception {
    return context.runAlone(
        Drain.class, peer, Map.of("work", WorkCases.work(oneCase), "steps", steps(context)));
  }

  static final class Drain implements ProcessRole {

    private static final int WARM_UP_SHARE = 4;

    @Override
    public void run(RoleContext roleContext) throws Exception {
      WorkType workType = WorkType.valueOf(roleContext.setting("work"));
      int steps = roleContext.number("steps");
      int count = steps / workType.steps();
      try (H2Folder folder = H2Folder.create();
          var pool = WorkCases.pool(folder.url())) {
        WorkRunner workRunner = WorkRunner.of(pool, workType);
        workRunner.warmUp(count / WARM_UP_SHARE);
        workRunner.enqueue(count);
        Meter meter = Meter.start(roleContext.database());
        DrainMonitor drainMonitor = workRunner.drain(count);
        ResourceUsage resourceUsage = meter.stop();
        roleContext.recordMeasurement("perSecond", steps / drainMonitor.seconds());
        roleContext.recordMeasurement("javaMillis", resourceUsage.javaMillis() / steps);
      }
    }
  }
}
