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
 * What workloads are measured with.
 *
 * @param quick a small run, which shows that everything works rather than how quickly
 */
public record BenchmarkContext(BenchmarkPostgres server, boolean quick) {

  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** The first number in a full run, the second in a quick one. */
  public int size(int full, int small) {
    return quick ? small : full;
  }

  /** How long an engine works before it is measured, so that none is measured while compiling. */
  Duration warmUp() {
    return Duration.ofSeconds(size(8, 0));
  }

  /** Starts a process that plays a part; the caller closes it. */
  public RoleProcess start(
      Class<? extends ProcessRole> part,
      PeerKind peer,
      BenchmarkDatabase benchmarkDatabase,
      Map<String, ?> settings)
      throws IOException {
    return RoleProcess.start(part, peer, benchmarkDatabase, settings, LIMIT);
  }

  /** Runs a program of Node.js in {@code src/main/node}, and answers with its figures. */
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

  /** Plays a part that needs no company in a new database, and answers with its figures. */
  public Map<String, Double> runAlone(
      Class<? extends ProcessRole> part, PeerKind peer, Map<String, ?> settings)
      throws IOException, InterruptedException, SQLException {
    BenchmarkDatabase benchmarkDatabase = server.create();
    try {
      return runAlone(part, peer, benchmarkDatabase, settings);
    } finally {
      server.drop(benchmarkDatabase);
    }
  }

  /** Plays a part that needs no company, and answers with its figures. */
  public Map<String, Double> runAlone(
      Class<? extends ProcessRole> part,
      PeerKind peer,
      BenchmarkDatabase benchmarkDatabase,
      Map<String, ?> settings)
      throws IOException, InterruptedException {
    try (RoleProcess process = start(part, peer, benchmarkDatabase, settings)) {
      return process.finish();
    }
  }
}
