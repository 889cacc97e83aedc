package io.millrace.benchmarks.peer.millrace;

import io.millrace.Engine;
import io.millrace.benchmarks.peer.Peer;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.Tuning;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;

/** Millrace; no workload needs other settings than the defaults. */
public final class MillracePeer implements Peer {

  @Override
  public void install(BenchmarkDatabase database) {
    try (var pool = database.pool(4)) {
      Engine.builder().dataSource(pool).start().close();
    }
  }

  @Override
  public PeerProcess open(BenchmarkDatabase database, Tuning tuning, Probe probe) {
    return new MillraceProcess(database, probe);
  }
}
