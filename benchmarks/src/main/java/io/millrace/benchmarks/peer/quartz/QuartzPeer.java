package io.millrace.benchmarks.peer.quartz;

import io.millrace.benchmarks.peer.Peer;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.Tuning;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import org.quartz.SchedulerException;

/** Quartz on its clustered JDBC job store. */
public final class QuartzPeer implements Peer {

  private static final String TABLES = "/org/quartz/impl/jdbcjobstore/tables_postgres.sql";

  @Override
  public void install(BenchmarkDatabase database) throws IOException, SQLException {
    try (InputStream in = QuartzPeer.class.getResourceAsStream(TABLES)) {
      if (in == null) {
        throw new FileNotFoundException("Quartz has no file " + TABLES);
      }
      database.execute(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Override
  public PeerProcess open(BenchmarkDatabase database, Tuning tuning, Probe probe)
      throws SchedulerException {
    return new QuartzProcess(database, tuning, probe);
  }
}
