package io.millrace.benchmarks.peer.dbos;

import dev.dbos.transact.DBOS;
import io.millrace.benchmarks.peer.Peer;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.Tuning;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;

/**
 * DBOS Transact. It has no setting for {@link Tuning#RECOVERY}: without its cloud service the work
 * of a dead executor waits until an executor of the same name is launched.
 */
public final class DbosPeer implements Peer {

  @Override
  public void install(BenchmarkDatabase database) {
    try (var pool = database.pool(4);
        DBOS dbos = new DBOS(DbosProcess.config(pool))) {
      dbos.launch();
    }
  }

  @Override
  public PeerProcess open(BenchmarkDatabase database, Tuning tuning, Probe probe) {
    return new DbosProcess(database, tuning, probe);
  }
}
