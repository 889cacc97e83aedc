package io.millrace.benchmarks.peer;

/** What a peer is set up for: the best safe settings that its documentation offers for it. */
public enum Tuning {
  /** Most work per second. */
  THROUGHPUT,
  /** The shortest time from a start to its handler. */
  LATENCY,
  /** The shortest time from the death of a process to the next start of its work elsewhere. */
  RECOVERY
}
