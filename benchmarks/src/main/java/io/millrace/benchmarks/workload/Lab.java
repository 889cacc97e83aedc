package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.peer.Peers;
import io.millrace.benchmarks.postgres.Database;
import io.millrace.benchmarks.postgres.Server;
import io.millrace.benchmarks.process.Part;
import io.millrace.benchmarks.process.PartProcess;
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
public record Lab(Server server, boolean quick) {

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
  public PartProcess start(
      Class<? extends Part> part, Peers peer, Database database, Map<String, ?> settings)
      throws IOException {
    return PartProcess.start(part, peer, database, settings, LIMIT);
  }

  /** Runs a program of Node.js in {@code src/main/node}, and answers with its figures. */
  public Map<String, Double> node(Peers peer, List<String> arguments)
      throws IOException, InterruptedException {
    String folder = System.getenv("MILLRACE_BENCHMARK_NODE");
    if (folder == null) {
      throw new IllegalStateException(
          "MILLRACE_BENCHMARK_NODE is not set; measure through script/benchmark, which sets it.");
    }
    List<String> command = new ArrayList<>(List.of("node", folder + "/" + peer.option() + ".mjs"));
    command.addAll(arguments);
    try (PartProcess process = PartProcess.start(peer.title(), command, LIMIT)) {
      return process.finish();
    }
  }

  /** Plays a part that needs no company in a new database, and answers with its figures. */
  public Map<String, Double> play(Class<? extends Part> part, Peers peer, Map<String, ?> settings)
      throws IOException, InterruptedException, SQLException {
    Database database = server.create();
    try {
      return play(part, peer, database, settings);
    } finally {
      server.drop(database);
    }
  }

  /** Plays a part that needs no company, and answers with its figures. */
  public Map<String, Double> play(
      Class<? extends Part> part, Peers peer, Database database, Map<String, ?> settings)
      throws IOException, InterruptedException {
    try (PartProcess process = start(part, peer, database, settings)) {
      return process.finish();
    }
  }
}
