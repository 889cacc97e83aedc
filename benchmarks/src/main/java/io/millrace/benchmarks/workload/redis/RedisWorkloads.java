package io.millrace.benchmarks.workload.redis;

import io.millrace.benchmarks.workload.Workload;
import java.util.List;

/** The workloads of this package. */
public final class RedisWorkloads {

  public static final List<Workload> ALL = List.of(new TwoQueuesWorkload());

  private RedisWorkloads() {}
}
