package io.millrace.benchmarks.workload.millrace;

import io.millrace.benchmarks.workload.Workload;
import java.util.List;

/** The workloads of this package. */
public final class MillraceWorkloads {

  public static final List<Workload> ALL =
      List.of(
          new BacklogWorkload(),
          new StartupWorkload(),
          new MemoryWorkload(),
          new MultiNodeWorkload(),
          new EmbeddedWorkload(),
          new SlowStepsWorkload(),
          new LongHistoryWorkload(),
          new StepCostWorkload());

  private MillraceWorkloads() {}
}
