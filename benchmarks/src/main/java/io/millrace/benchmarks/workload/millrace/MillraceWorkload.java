package io.millrace.benchmarks.workload.millrace;

import io.millrace.benchmarks.peer.Peers;
import io.millrace.benchmarks.workload.Lab;
import io.millrace.benchmarks.workload.Workload;
import java.util.List;

/** Something that is measured on Millrace only. */
interface MillraceWorkload extends Workload {

  @Override
  default boolean includes(Peers peer) {
    return peer == Peers.MILLRACE;
  }

  /** All cases in a full run, the last one in a quick run. */
  static List<String> few(Lab lab, List<String> all) {
    return lab.quick() ? List.of(all.getLast()) : all;
  }
}
