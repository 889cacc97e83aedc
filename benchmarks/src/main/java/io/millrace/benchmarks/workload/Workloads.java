package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.peer.Work;
import java.util.List;

/** All workloads, in the order of the report. */
public final class Workloads {

  public static final List<Workload> ALL =
      List.of(
          new Throughput("W1", Work.ONE_STEP, 20_000),
          new Throughput("W2", Work.FIVE_STEPS, 4_000));

  private Workloads() {}
}
