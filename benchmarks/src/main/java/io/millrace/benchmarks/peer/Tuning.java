package io.millrace.benchmarks.peer;

/** The goal for which a peer is tuned, with the best safe settings in its documentation. */
public enum Tuning {
  /** Highest throughput. */
  THROUGHPUT,
  /** Shortest time from a start to its handler. */
  LATENCY,
  /** Shortest time from the death of a process to the next start of its work elsewhere. */
  RECOVERY
}
