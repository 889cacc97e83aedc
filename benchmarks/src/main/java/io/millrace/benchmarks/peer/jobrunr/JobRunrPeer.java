package io.millrace.benchmarks.peer.jobrunr;

import io.millrace.benchmarks.peer.Peer;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.Tuning;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;

/** JobRunr at its shortest poll interval; it has no other setting that favors one workload. */
public final class JobRunrPeer implements Peer {

  @Override
  public void install(BenchmarkDatabase database) {
    try (var pool = database.pool(4)) {
      new PostgresStorageProvider(pool).close();
    }
  }

  @Override
  public PeerProcess open(BenchmarkDatabase database, Tuning tuning, Probe probe) {
    return new JobRunrProcess(database, probe);
  }
}
