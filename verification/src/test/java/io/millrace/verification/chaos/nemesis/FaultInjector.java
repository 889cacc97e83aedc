package io.millrace.verification.chaos.nemesis;

import io.millrace.verification.chaos.cluster.Cluster;
import io.millrace.verification.chaos.cluster.ClusterNode;
import io.millrace.verification.chaos.journal.JournalClient;
import io.millrace.verification.chaos.postgres.PostgresServer;
import io.millrace.verification.chaos.proxy.TrafficRule;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * A fault injector that executes a plan and records the start and end of each fault in the journal.
 */
public final class FaultInjector {

  private static final Executor THREADS =
      action -> Thread.ofPlatform().daemon().name("nemesis").start(action);
  private static final Duration BETWEEN_CUTS = Duration.ofMillis(300);

  private static final String SESSIONS =
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND
      """;

  private final Cluster cluster;
  private final PostgresServer server;
  private final JournalClient journal;

  public FaultInjector(Cluster cluster, PostgresServer server, JournalClient journal) {
    this.cluster = cluster;
    this.server = server;
    this.journal = journal;
  }

  /** Executes the plan until the given time; a fault that has started is completed. */
  public void run(FaultPlan faultPlan, long endNanos) throws InterruptedException {
    while (System.nanoTime() < endNanos) {
      FaultPlan.Round round = faultPlan.next();
      CompletableFuture<?>[] running = new CompletableFuture<?>[round.faults().size()];
      for (int i = 0; i < running.length; i++) {
        Fault fault = round.faults().get(i);
        Duration wait = round.offset().multipliedBy(i);
        running[i] = CompletableFuture.runAsync(() -> inject(fault, wait), THREADS);
      }
      CompletableFuture.allOf(running).join();
      hold(round.rest());
    }
  }

  private void inject(Fault fault, Duration wait) {
    try {
      hold(wait);
      Map<String, Object> line = new HashMap<>();
      line.put("fault", fault.kind().name());
      line.put("name", fault.node() == 0 ? "" : cluster.node(fault.node()).name());
      line.put("process", fault.node() == 0 ? 0 : cluster.node(fault.node()).pid());
      line.put("size", fault.size());
      line.put("begin", Cluster.micros());
      journal.record("FAULT_BEGUN", line);
      perform(fault);
      line.put("end", Cluster.micros());
      journal.record("FAULT", line);
    } catch (IOException e) {
      throw new CompletionException(fault + " could not be done", e);
    } catch (InterruptedException e) {
      throw new CompletionException(e);
    }
  }

  private void perform(Fault fault) throws IOException, InterruptedException {
    switch (fault.kind().target()) {
      case NODE -> onNode(fault, cluster.node(fault.node()));
      case DATABASE -> onDatabase(fault);
      case CLOCK -> {
        cluster.setClock(fault.size());
        hold(fault.length());
      }
    }
  }

  private void onNode(Fault fault, ClusterNode clusterNode)
      throws IOException, InterruptedException {
    switch (fault.kind()) {
      case KILL -> {
        clusterNode.kill();
        hold(fault.length());
        clusterNode.start();
      }
      case DRAIN -> {
        cluster.drain(clusterNode);
        hold(fault.length());
        clusterNode.start();
      }
      case FREEZE_HALF, FREEZE_NEARLY, FREEZE_JUST_OVER, FREEZE_LONG -> {
        clusterNode.freeze();
        hold(fault.length());
        clusterNode.thaw();
      }
      case CUT -> cut(clusterNode, fault.length());
      case BACKENDS_OF_NODE -> terminate("application_name = '" + clusterNode.name() + "'");
      default -> onFlow(fault, clusterNode);
    }
  }

  private void onFlow(Fault fault, ClusterNode clusterNode) throws InterruptedException {
    TrafficRule slow = new TrafficRule.Delayed(Duration.ofMillis(fault.size()));
    TrafficRule stalled = new TrafficRule.Stalled();
    switch (fault.kind()) {
      case DELAY -> clusterNode.proxy().setTraffic(slow, slow);
      case LATE_REPLIES -> clusterNode.proxy().setTraffic(TrafficRule.PASS, slow);
      case STALL_BOTH -> clusterNode.proxy().setTraffic(stalled, stalled);
      case STALL_REQUESTS -> clusterNode.proxy().setTraffic(stalled, TrafficRule.PASS);
      case STALL_REPLIES -> clusterNode.proxy().setTraffic(TrafficRule.PASS, stalled);
      case DROPPED_REPLIES ->
          clusterNode.proxy().setTraffic(TrafficRule.PASS, new TrafficRule.Dropped());
      default -> throw new IllegalStateException(fault + " is no fault of a proxy");
    }
    hold(fault.length());
    boolean stall =
        List.of(FaultKind.STALL_BOTH, FaultKind.STALL_REQUESTS, FaultKind.STALL_REPLIES)
            .contains(fault.kind());
    if (stall && fault.size() == 1) {
      clusterNode.proxy().resetConnections();
    }
    clusterNode.proxy().setTraffic(TrafficRule.PASS, TrafficRule.PASS);
  }

  private static void cut(ClusterNode clusterNode, Duration length) throws InterruptedException {
    long end = System.nanoTime() + length.toNanos();
    while (System.nanoTime() < end) {
      clusterNode.proxy().resetConnections();
      hold(BETWEEN_CUTS);
    }
  }

  private void onDatabase(Fault fault) throws IOException, InterruptedException {
    switch (fault.kind()) {
      case BACKENDS_OF_ALL -> {
        terminate("true");
        return;
      }
      case DATABASE_FAST -> server.stop("fast");
      case DATABASE_IMMEDIATE -> server.stop("immediate");
      case DATABASE_KILL -> server.kill();
      case DISK_FULL -> server.fillDisk(fault.size() == 1);
      default -> throw new IllegalStateException(fault + " is no fault of the database");
    }
    hold(fault.length());
    if (fault.kind() == FaultKind.DISK_FULL) {
      server.freeDisk();
    }
    server.start();
  }

  private void terminate(String whose) {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(SESSIONS + whose);
    } catch (SQLException e) {
      // Another fault has stopped the database, and with it all sessions.
      journal.note("NO_SESSIONS", Map.of("error", e.toString()));
    }
  }

  private static void hold(Duration length) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(length.toNanos());
  }
}
