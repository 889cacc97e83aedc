package io.millrace.benchmarks.workload.sequence;

import io.millrace.benchmarks.peer.Peers;
import io.millrace.benchmarks.process.Part;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.Lab;
import io.millrace.benchmarks.workload.Workload;
import java.util.List;
import java.util.Map;

/** How late a node with very many schedules begins what is due, while some are due all the time. */
record Schedules() implements Workload {

  /** Every schedule is due once in so many seconds. */
  static final int PERIOD_SECONDS = 100;

  @Override
  public String id() {
    return "X11";
  }

  @Override
  public String title(Lab lab) {
    return "%,d schedules, of which %,d are due each second: from the slot to its handler, for %d s"
        .formatted(perSecond(lab) * PERIOD_SECONDS, perSecond(lab), seconds(lab));
  }

  private static int perSecond(Lab lab) {
    return lab.size(1_000, 20);
  }

  private static int seconds(Lab lab) {
    return lab.size(40, 5);
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
  public boolean includes(Peers peer) {
    return peer == Peers.MILLRACE || peer == Peers.DB_SCHEDULER;
  }

  @Override
  public Map<String, Double> run(Lab lab, Peers peer, String oneCase) throws Exception {
    Class<? extends Part> part =
        peer == Peers.MILLRACE ? MillraceSchedules.class : DbSchedulerSchedules.class;
    return lab.play(
        part,
        peer,
        Map.of("perSecond", perSecond(lab), "seconds", seconds(lab), "warmUp", lab.size(15, 2)));
  }
}
