package io.millrace.benchmarks.workload.continuous;

import io.millrace.benchmarks.workload.Workload;
import java.util.List;

/** The workloads of this package. */
public final class ContinuousWorkloads {

  public static final List<Workload> ALL =
      List.of(new ContinuationWorkload(), new ReduceWorkload(), new PeriodClaimWorkload());

  private ContinuousWorkloads() {}
}
