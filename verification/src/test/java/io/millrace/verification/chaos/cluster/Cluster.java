package io.millrace.verification.chaos.cluster;

import io.millrace.verification.chaos.journal.JournalClient;
import io.millrace.verification.chaos.node.NodeMain;
import io.millrace.verification.chaos.postgres.PostgresServer;
import io.millrace.verification.chaos.proxy.TcpProxy;
import io.millrace.verification.chaos.proxy.TrafficRule;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Three nodes, each behind its own proxy: the first as users have it, the second with a pool of one
 * connection, the third without a pool and with a wrong clock.
 */
public final class Cluster implements AutoCloseable {

  /** Number of nodes. */
  public static final int SIZE = 3;

  private static final List<Integer> POOLS = List.of(8, 1, NodeMain.NO_POOL);
  private static final long EXIT_LIMIT_MILLIS = 60_000;

  /**
   * Query of owned instances. It excludes instances that call System.exit, which are left to
   * recovery, so that its actions are counted.
   */
  private static final String OWNED =
      """
      SELECT count(*) FROM millrace_instance
      WHERE type <> 'exit' AND executor_id = (SELECT max(id) FROM millrace_executor WHERE pid = ?)
      """;

  private final List<ClusterNode> nodes = new ArrayList<>();
  private final JournalClient journal;
  private final PostgresServer server;
  private final @Nullable FakeClock clock;

  /** Creates the nodes without starting them. */
  public Cluster(Path folder, PostgresServer server, JournalProcess journalProcess, long seed)
      throws IOException {
    this.server = server;
    this.journal = journalProcess.connect("cluster");
    this.clock = FakeClock.in(folder).orElse(null);
    if (clock != null) {
      clock.set(-90);
    }
    for (int number = 1; number <= SIZE; number++) {
      ClusterNode.Config config =
          new ClusterNode.Config(
              number,
              POOLS.get(number - 1),
              number == 3 ? clock : null,
              journalProcess.port(),
              folder.resolve("node" + number + ".log").toFile(),
              seed + number);
      nodes.add(new ClusterNode(config, TcpProxy.start(server.port()), journal));
    }
  }

  public List<ClusterNode> nodes() {
    return List.copyOf(nodes);
  }

  /** Returns the node with a number, from 1. */
  public ClusterNode node(int number) {
    return nodes.get(number - 1);
  }

  /** True if a node has a clock that can be wrong. */
  public boolean hasFakeClock() {
    return clock != null;
  }

  /** Makes the clock of the last node differ from the true one. */
  public void setClock(long minutes) throws IOException {
    if (clock != null) {
      clock.set(minutes);
    }
  }

  /**
   * Ends a node with SIGTERM, and records in the journal its exit code and the instances it still
   * owns.
   */
  public void drain(ClusterNode clusterNode) throws InterruptedException {
    JvmProcess jvmProcess = clusterNode.detachProcess();
    if (jvmProcess == null || !jvmProcess.isAlive()) {
      return;
    }
    Map<String, Object> line = new HashMap<>();
    line.put("name", clusterNode.name());
    line.put("process", jvmProcess.pid());
    line.put("begin", micros());
    long begin = System.nanoTime();
    jvmProcess.terminate();
    boolean ended = jvmProcess.hasEndedWithin(EXIT_LIMIT_MILLIS);
    line.put("millis", (System.nanoTime() - begin) / 1_000_000);
    line.put("end", micros());
    line.put("code", ended ? jvmProcess.exitCode() : -1);
    if (!ended) {
      jvmProcess.kill();
    }
    line.put("owned", owned(jvmProcess.pid()));
    journal.record("DRAINED", line);
  }

  /**
   * Returns the number of rows that the process owns by the database; -1 if the database does not
   * answer.
   */
  private long owned(long pid) {
    try (Connection connection = server.connect();
        PreparedStatement statement = connection.prepareStatement(OWNED)) {
      statement.setLong(1, pid);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    } catch (SQLException e) {
      return -1;
    }
  }

  /** Returns the current time in microseconds, as the journal has it. */
  public static long micros() {
    Instant now = Instant.now();
    return ChronoUnit.MICROS.between(Instant.EPOCH, now);
  }

  /** Ends all faults of the nodes and their connections. */
  public void heal() throws IOException, InterruptedException {
    for (ClusterNode clusterNode : nodes) {
      clusterNode.proxy().setTraffic(TrafficRule.PASS, TrafficRule.PASS);
      clusterNode.thaw();
      clusterNode.start();
    }
  }

  @Override
  public void close() throws IOException {
    for (ClusterNode clusterNode : nodes) {
      clusterNode.close();
    }
    journal.close();
  }
}
