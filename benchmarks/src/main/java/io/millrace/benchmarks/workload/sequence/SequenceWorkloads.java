package io.millrace.benchmarks.workload.sequence;

import io.millrace.benchmarks.workload.Workload;
import java.util.List;

/** The workloads of this package. */
public final class SequenceWorkloads {

  public static final List<Workload> ALL = List.of(new SequenceWorkload(), new ScheduleWorkload());

  private SequenceWorkloads() {}
}
