package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import io.millrace.benchmarks.postgres.BenchmarkPostgres;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.process.RoleProcess;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The environment in which workloads are measured.
 *
 * @param quick true for a small run, which shows that everything works rather than how fast it is
 */
public record BenchmarkContext(BenchmarkPostgres server, boolean quick) {

  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** Returns the first number in a full run, the second in a quick one. */
  public int size(int full, int small) {
    return quick ? small : full;
  }

  /**
   * Returns the time that an engine works before it is measured, so that it is not measured while
   * its code is being compiled.
   */
  Duration warmUp() {
    return Duration.ofSeconds(size(8, 0));
  }

  /** Starts a process with a role; the caller closes it. */
  public RoleProcess start(
      Class<? extends ProcessRole> part,
      PeerKind peer,
      BenchmarkDatabase database,
      Map<String, ?> settings)
      throws IOException {
    return RoleProcess.start(part, peer, database, settings, LIMIT);
  }

  /** Runs a Node.js program in {@code src/main/node} and returns its figures. */
  public Map<String, Double> node(PeerKind peer, List<String> arguments)
      throws IOException, InterruptedException {
    String folder = System.getenv("MILLRACE_BENCHMARK_NODE");
    if (folder == null) {
      throw new IllegalStateException(
          "MILLRACE_BENCHMARK_NODE is not set; measure through script/benchmark, which sets it.");
    }
    List<String> command = new ArrayList<>(List.of("node", folder + "/" + peer.option() + ".mjs"));
    command.addAll(arguments);
    try (RoleProcess process = RoleProcess.start(peer.title(), command, LIMIT)) {
      return process.finish();
    }
  }

  /** Runs a role in a single process on a new database and returns its figures. */
  public Map<String, Double> runAlone(
      Class<? extends ProcessRole> part, PeerKind peer, Map<String, ?> settings)
      throws IOException, InterruptedException, SQLException {
    BenchmarkDatabase database = server.create();
    try {
      return runAlone(part, peer, database, settings);
    } finally {
      server.drop(database);
    }
  }

  /** Runs a role in a single process and returns its figures. */
  public Map<String, Double> runAlone(
      Class<? extends ProcessRole> part,
      PeerKind peer,
      BenchmarkDatabase database,
      Map<String, ?> settings)
      throws IOException, InterruptedException {
    try (RoleProcess process = start(part, peer, database, settings)) {
      return process.finish();
    }
  }
}
