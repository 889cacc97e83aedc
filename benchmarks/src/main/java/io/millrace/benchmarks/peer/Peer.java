package io.millrace.benchmarks.peer;

import io.millrace.benchmarks.postgres.BenchmarkDatabase;

/** An engine that takes part, as a program that uses it would set it up. */
public interface Peer {
  /** Makes the tables in an empty database. */
  void install(BenchmarkDatabase benchmarkDatabase) throws Exception;

  /**
   * Makes what one process of the engine needs. Nothing is worked on before {@link
   * PeerProcess#run()}, and a process that only enqueues never calls it.
   */
  PeerProcess open(BenchmarkDatabase benchmarkDatabase, Tuning tuning, Probe probe)
      throws Exception;
}
