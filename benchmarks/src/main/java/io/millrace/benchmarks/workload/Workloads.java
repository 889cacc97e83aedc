package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.peer.WorkType;
import io.millrace.benchmarks.workload.continuous.ContinuousWorkloads;
import io.millrace.benchmarks.workload.millrace.MillraceWorkloads;
import io.millrace.benchmarks.workload.redis.RedisWorkloads;
import io.millrace.benchmarks.workload.sequence.SequenceWorkloads;
import io.millrace.benchmarks.workload.server.ServerWorkloads;
import java.util.List;
import java.util.stream.Stream;

/** The list of all workloads, in the order of the report. */
public final class Workloads {

  public static final List<Workload> ALL =
      Stream.of(
              List.of(
                  new ThroughputWorkload("W1", WorkType.ONE_STEP, 20_000),
                  new ThroughputWorkload("W2", WorkType.FIVE_STEPS, 4_000),
                  new EnqueueWorkload(),
                  new LatencyWorkload(),
                  new RecoveryWorkload()),
              MillraceWorkloads.ALL,
              SequenceWorkloads.ALL,
              ContinuousWorkloads.ALL,
              RedisWorkloads.ALL,
              ServerWorkloads.ALL)
          .<Workload>flatMap(List::stream)
          .toList();

  private Workloads() {}
}
