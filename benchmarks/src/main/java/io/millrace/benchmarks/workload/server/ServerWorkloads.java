package io.millrace.benchmarks.workload.server;

import io.millrace.benchmarks.workload.Workload;
import java.util.List;

/** The workloads of this package. */
public final class ServerWorkloads {

  public static final List<Workload> ALL =
      List.of(new PageQueryWorkload(), new EventStreamWorkload());

  private ServerWorkloads() {}
}
