package io.millrace.benchmarks.workload.millrace;

import io.millrace.benchmarks.workload.Workload;
import java.util.List;

/** The workloads of this package. */
public final class MillraceWorkloads {

  public static final List<Workload> ALL =
      List.of(
          new Backlog(),
          new Startup(),
          new Memory(),
          new Nodes(),
          new Embedded(),
          new SlowSteps(),
          new LongHistory(),
          new Cost());

  private MillraceWorkloads() {}
}
