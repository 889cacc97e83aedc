package io.millrace.benchmarks.workload.sequence;

import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.BenchmarkContext;
import io.millrace.benchmarks.workload.Workload;
import java.util.List;
import java.util.Map;

/**
 * A workload that measures how late a node with very many schedules starts due slots, while some
 * schedule is due at any time.
 */
record ScheduleWorkload() implements Workload {

  /** Seconds between two slots of a schedule. */
  static final int PERIOD_SECONDS = 100;

  @Override
  public String id() {
    return "X11";
  }

  @Override
  public String title(BenchmarkContext context) {
    return "%,d schedules, of which %,d are due each second: from the slot to its handler, for %d s"
        .formatted(perSecond(context) * PERIOD_SECONDS, perSecond(context), seconds(context));
  }

  private static int perSecond(BenchmarkContext context) {
    return context.size(1_000, 20);
  }

  private static int seconds(BenchmarkContext context) {
    return context.size(40, 5);
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.lessIsBetter("late p99, ms", "late99", 1),
        Column.lessIsBetter("p50, ms", "late50", 1),
        Column.lessIsBetter("longest, ms", "latest", 0),
        Column.moreIsBetter("runs/s", "perSecond", 0),
        Column.lessIsBetter("CPU ms/run, Java", "javaMillis", 3),
        Column.lessIsBetter("CPU ms/run, server", "serverMillis", 3));
  }

  @Override
  public boolean includes(PeerKind peer) {
    return peer == PeerKind.MILLRACE || peer == PeerKind.DB_SCHEDULER;
  }

  @Override
  public Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase)
      throws Exception {
    Class<? extends ProcessRole> part =
        peer == PeerKind.MILLRACE ? MillraceScheduleRole.class : DbSchedulerScheduleRole.class;
    return context.runAlone(
        part,
        peer,
        Map.of(
            "perSecond",
            perSecond(context),
            "seconds",
            seconds(context),
            "warmUp",
            context.size(15, 2)));
  }
}
