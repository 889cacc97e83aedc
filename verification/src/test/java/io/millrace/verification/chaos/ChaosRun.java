package io.millrace.verification.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.verification.chaos.check.ChaosReport;
import io.millrace.verification.chaos.check.Checker;
import io.millrace.verification.chaos.cluster.Cluster;
import io.millrace.verification.chaos.cluster.ClusterNode;
import io.millrace.verification.chaos.cluster.JournalProcess;
import io.millrace.verification.chaos.journal.JournalClient;
import io.millrace.verification.chaos.nemesis.FaultInjector;
import io.millrace.verification.chaos.nemesis.FaultKind;
import io.millrace.verification.chaos.nemesis.FaultPlan;
import io.millrace.verification.chaos.node.ChaosWorkflows;
import io.millrace.verification.chaos.node.LoadGenerator;
import io.millrace.verification.chaos.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A run, from the empty folder to the report. */
final class ChaosRun implements AutoCloseable {

  private static final double CALLS_PER_SECOND = 15;
  private static final Duration QUIET = Duration.ofSeconds(60);
  private static final Duration READY_LIMIT = Duration.ofSeconds(60);

  private static final String READY = "SELECT count(*) FROM millrace_executor";

  /**
   * Query of the unfinished instances that the run waits for. The nodes continue to start
   * instances, and the run does not wait for those.
   */
  private static final String UNFINISHED =
      """
      SELECT count(*) FROM millrace_instance w
      WHERE status IN ('created', 'inProgress') AND COALESCE(
        (SELECT p.created_at FROM millrace_instance p WHERE p.id = w.parent_id), w.created_at)
        < now() - INTERVAL '{age} seconds'
        AND NOT (COALESCE(w.waiting_for, '') = 'children' AND EXISTS (
          SELECT 1 FROM millrace_instance c
          WHERE c.parent_id = w.id AND c.status IN ('manual', 'paused')))
      """;

  private final ChaosOptions options;
  private final Path folder;
  private final List<AutoCloseable> parts = new ArrayList<>();
  private final JournalProcess journalProcess;
  private final JournalClient journal;
  private final PostgresServer server;
  private final Cluster cluster;
  private boolean closed;
  private boolean keep = true;

  private ChaosRun(ChaosOptions options) throws IOException, InterruptedException {
    this.options = options;
    // The server's user must be able to reach its folder.
    this.folder =
        Files.createTempDirectory(
            "millrace-chaos-",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    Runtime.getRuntime().addShutdownHook(new Thread(this::interrupted));
    try {
      this.journalProcess = part(JournalProcess.start(folder));
      this.journal = part(journalProcess.connect("runner"));
      Path place = Files.createDirectory(folder.resolve("postgres"));
      this.server = part(PostgresServer.create(place, 1_000 + 100 * options.length().toMinutes()));
      this.cluster = part(new Cluster(folder, server, journalProcess, options.seed()));
    } catch (IOException | InterruptedException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Executes a run, and prints and writes its report. */
  static ChaosReport run(ChaosOptions options)
      throws IOException, InterruptedException, SQLException {
    try (ChaosRun run = new ChaosRun(options)) {
      run.load();
      return run.report();
    }
  }

  private <T extends AutoCloseable> T part(T part) {
    parts.add(part);
    return part;
  }

  private void load() throws IOException, InterruptedException, SQLException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(PostgresServer.url(server.port(), "client"));
    config.setMaximumPoolSize(6);
    try (HikariDataSource pool = new HikariDataSource(config);
        Engine client =
            Engine.builder()
                .dataSource(pool)
                .workflows(ChaosWorkflows.definitions())
                .settings(s -> s.runsInstances(false))
                .start();
        JournalClient clientJournal = journalProcess.connect("client")) {
      cluster.nodes().forEach(ClusterNode::start);
      if (!until(READY_LIMIT, () -> number(READY) >= Cluster.SIZE)) {
        throw new IOException("The nodes do not start; their logs are in " + folder + ".");
      }
      LoadGenerator loadGenerator =
          new LoadGenerator(client.client(), clientJournal, options.seed());
      loadGenerator.run(CALLS_PER_SECOND, true);
      phase("FAULTS");
      faults(new LoadGenerator(client.client(), clientJournal, 0));
      cluster.heal();
      loadGenerator.close();
      loadGenerator.retryOpenCalls(3);
      phase("QUIET");
      long quiet = System.nanoTime();
      boolean ended = until(QUIET, () -> number(startedBefore(quiet)) == 0);
      System.out.println("==> everything ended: " + ended);
      phase("QUIET_ENDED");
      for (ClusterNode clusterNode : cluster.nodes()) {
        cluster.drain(clusterNode);
      }
      phase("STOPPED");
    }
  }

  private void faults(LoadGenerator poison) throws InterruptedException {
    long end = System.nanoTime() + options.length().toNanos();
    Set<FaultKind> left = EnumSet.noneOf(FaultKind.class);
    if (!options.only().isEmpty()) {
      left.addAll(EnumSet.complementOf(EnumSet.copyOf(options.only())));
    }
    if (!server.hasSmallDisk()) {
      left.add(FaultKind.DISK_FULL);
    }
    if (!cluster.hasFakeClock()) {
      left.add(FaultKind.CLOCK_JUMP);
    }
    if (options.length().compareTo(Duration.ofMinutes(2)) >= 0) {
      poison.start("poison");
      poison.start("exit");
    }
    FaultPlan faultPlan =
        new FaultPlan(
            options.seed(),
            Cluster.SIZE,
            left,
            Math.clamp(options.length().toMinutes() * 3, 3, 90));
    new FaultInjector(cluster, server, journal).run(faultPlan, end);
  }

  private void phase(String name) {
    journal.record("PHASE", Map.of("phase", name));
    System.out.println("==> " + name);
  }

  private static String startedBefore(long nanos) {
    return UNFINISHED.replace("{age}", "" + (System.nanoTime() - nanos) / 1_000_000_000);
  }

  @FunctionalInterface
  private interface Condition {
    boolean holds() throws SQLException;
  }

  /** Waits for other processes, up to the limit; returns true if the condition has come true. */
  private static boolean until(Duration limit, Condition condition)
      throws InterruptedException, SQLException {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > end) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(200);
    }
    return true;
  }

  private long number(String sql) throws SQLException {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private ChaosReport report() throws IOException, SQLException, InterruptedException {
    ChaosReport chaosReport;
    try (Connection connection = server.connect()) {
      chaosReport = Checker.check(connection, journalProcess.file());
    }
    List<String> about =
        new ArrayList<>(
            List.of(
                "seed " + options.seed() + ", faults for " + options.length().toSeconds() + " s",
                "repeat: " + options.command(),
                server.hasSmallDisk()
                    ? "messages of a full disk in the server's log: "
                        + server.logged("No space left on device")
                    : "left out: a full disk, which needs root and the right to mount",
                cluster.hasFakeClock()
                    ? "the clock of node 3 is wrong and jumps"
                    : "left out: a wrong clock, which needs libfaketime (package libfaketime)"));
    if (chaosReport.violations() > 0) {
      Path dump = folder.resolve("database.dump");
      server.dump(dump);
      about.add("journal, logs and dump (for pg_restore) of the run are in " + folder);
    }
    String text = chaosReport.text(about);
    System.out.println(text);
    keep = chaosReport.violations() > 0;
    Path file = options.file().toAbsolutePath();
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return chaosReport;
  }

  /** Discards an interrupted run, because half a run proves nothing. */
  private synchronized void interrupted() {
    if (!closed) {
      keep = false;
      close();
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (AutoCloseable part : parts.reversed()) {
      try {
        part.close();
      } catch (Exception e) {
        System.err.println("Could not be stopped: " + part + ": " + e);
      }
    }
    if (!keep) {
      delete();
    }
  }

  private void delete() {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      System.err.println("The run's folder could not be deleted: " + e);
    }
  }
}
