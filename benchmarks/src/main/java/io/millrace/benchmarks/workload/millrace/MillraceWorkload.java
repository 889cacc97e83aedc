package io.millrace.benchmarks.workload.millrace;

import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.workload.BenchmarkContext;
import io.millrace.benchmarks.workload.Workload;
import java.util.List;

/** A workload that measures Millrace only. */
interface MillraceWorkload extends Workload {

  @Override
  default boolean includes(PeerKind peer) {
    return peer == PeerKind.MILLRACE;
  }

  /** Returns all cases in a full run, the last one in a quick run. */
  static List<String> few(BenchmarkContext context, List<String> all) {
    return context.quick() ? List.of(all.getLast()) : all;
  }
}
