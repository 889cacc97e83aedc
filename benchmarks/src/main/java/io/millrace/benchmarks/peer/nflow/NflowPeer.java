package io.millrace.benchmarks.peer.nflow;

import io.millrace.benchmarks.peer.Peer;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.Tuning;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import io.nflow.engine.NflowEngine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** nFlow with more threads and a longer queue than by default, which makes it faster. */
public final class NflowPeer implements Peer {

  private static final String SCRIPT = "/scripts/db/postgresql.create.ddl.sql";

  @Override
  public void install(BenchmarkDatabase database) throws IOException, SQLException {
    try (InputStream script = NflowEngine.class.getResourceAsStream(SCRIPT)) {
      if (script == null) {
        throw new IOException("The library of nFlow has no " + SCRIPT + ".");
      }
      database.execute(new String(script.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Override
  public PeerProcess open(BenchmarkDatabase database, Tuning tuning, Probe probe) {
    // An engine created without Spring reads its settings only from system properties.
    settings(tuning).forEach(System::setProperty);
    return new NflowProcess(database, probe);
  }

  private static Map<String, String> settings(Tuning tuning) {
    Map<String, String> settings = new HashMap<>();
    settings.put("nflow.autostart", "false");
    settings.put("nflow.executor.thread.count", "16");
    settings.put("nflow.dispatcher.executor.queue.size", "200");
    settings.put("nflow.dispatcher.sleep.ms", "50");
    if (tuning == Tuning.RECOVERY) {
      settings.put("nflow.executor.timeout.seconds", "5");
      settings.put("nflow.executor.keepalive.seconds", "1");
    }
    return settings;
  }
}
