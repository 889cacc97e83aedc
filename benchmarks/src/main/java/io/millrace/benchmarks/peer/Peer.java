package io.millrace.benchmarks.peer;

import io.millrace.benchmarks.postgres.BenchmarkDatabase;

/** An engine under measurement, set up as a program that uses it would. */
public interface Peer {
  /** Creates the tables in an empty database. */
  void install(BenchmarkDatabase database) throws Exception;

  /**
   * Opens one process of the engine. It does no work before {@link PeerProcess#run()}, which a
   * process that only enqueues never calls.
   */
  PeerProcess open(BenchmarkDatabase database, Tuning tuning, Probe probe) throws Exception;
}
