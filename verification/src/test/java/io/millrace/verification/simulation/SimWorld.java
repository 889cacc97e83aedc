package io.millrace.verification.simulation;

import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One schedule: machines, a database, clients, faults for a while, and then a time without faults.
 */
final class SimWorld implements AutoCloseable {

  private static final Duration FAULTS = Duration.ofSeconds(40);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /**
   * Distance between seeds with sequences and the like, which cost time and are therefore only in
   * one of this many seeds.
   */
  static final int PERIOD = 5;

  /** Remainder of the seeds with continuous workflows. */
  private static final int WITH_CONTINUOUS = 2;

  /** Remainder of the seeds with transactions of the application that hold external ids. */
  private static final int WITH_TRANSACTIONS = 4;

  /** Maximum time without faults within which one more instance must come to rest. */
  private static final int MAX_QUIET_SECONDS = 240;

  final SimulationKernel kernel;
  final SimNetwork network;
  final MemoryStore database;
  final EngineSettings settings;
  final SimJournal journal;
  final SimSequences sequences;
  final SimContinuous continuous;
  final boolean transactions;
  private final SimClock databaseClock;
  private final List<SimNode> nodes = new ArrayList<>();
  private int names;

  /** The result of a schedule. */
  record Result(
      List<Violation> violations, Map<String, Integer> counts, long events, long fingerprint) {}

  private SimWorld(long seed, Consumer<String> trace) {
    this.kernel = new SimulationKernel(seed, trace);
    this.journal = new SimJournal(kernel);
    this.network = new SimNetwork(kernel, FaultProbabilities.of(kernel.random));
    this.databaseClock = new SimClock(kernel);
    this.database = new MemoryStore(databaseClock);
    this.settings =
        EngineSettings.defaults()
            .concurrency(1 + kernel.random.nextInt(4))
            .queueSize(1 + kernel.random.nextInt(8))
            .drainGrace(Duration.ofSeconds(kernel.random.nextInt(4)));
    this.sequences = seed % PERIOD == 0 ? new SimSequences(this) : null;
    this.continuous = seed % PERIOD == WITH_CONTINUOUS ? new SimContinuous(this) : null;
    this.transactions = seed % PERIOD == WITH_TRANSACTIONS;
    int count = 1 + kernel.random.nextInt(4);
    for (int i = 1; i <= count; i++) {
      nodes.add(new SimNode(this, "node" + i));
    }
  }

  /** Returns the next seed, from this one on, that has continuous workflows. */
  static long withContinuous(long seed) {
    return seed + Math.floorMod(WITH_CONTINUOUS - seed, PERIOD);
  }

  /**
   * Runs the schedule of a seed.
   *
   * @param trace receives all events; null for no trace
   */
  static Result run(long seed, Consumer<String> trace) {
    try (SimWorld simWorld = new SimWorld(seed, trace)) {
      return simWorld.run();
    }
  }

  private Result run() {
    SimClients simClients = new SimClients(this);
    simClients.begin(5 + kernel.random.nextInt(15));
    if (sequences != null) {
      sequences.store();
    }
    if (continuous != null) {
      continuous.begin(FAULTS);
    }
    new SimFaultInjector(this).begin(FAULTS);
    kernel.run(FAULTS);
    Instant calm = databaseClock.instant();
    network.stopFaults();
    if (sequences != null) {
      sequences.broker.calm();
    }
    nodes.forEach(SimNode::heal);
    awaitPeace(simClients);
    List<WorkflowInstance> all = all();
    new SimulationChecks(this, all).run();
    if (sequences != null) {
      sequences.check();
    }
    if (continuous != null) {
      new ContinuousChecks(this, all).run(continuous.eventSources, calm);
    }
    kernel.faults().forEach(fault -> journal.violated("engine", fault));
    kernel.spins().forEach(spin -> journal.violated("I16", "some thread spins: " + spin));
    journal.counts.merge("instances", all.size(), Integer::sum);
    return new Result(journal.violations, journal.counts, kernel.count(), kernel.fingerprint());
  }

  private void awaitPeace(SimClients simClients) {
    long mostAtRest = 0;
    int quiet = 0;
    while (quiet < MAX_QUIET_SECONDS) {
      kernel.run(SECOND);
      List<WorkflowInstance> all = all();
      boolean told = simClients.done() && journal.unsaved().isEmpty() && leaving().isEmpty();
      told &= sequences == null || sequences.done();
      told &= continuous == null || continuous.done();
      long atRest = all.stream().filter(SimWorld::isAtRest).count();
      if (told && atRest == all.size()) {
        return;
      }
      quiet = atRest > mostAtRest ? 0 : quiet + 1;
      mostAtRest = Math.max(mostAtRest, atRest);
      simClients.retryParked(all);
    }
    all().stream()
        .filter(one -> !isAtRest(one))
        .forEach(one ->
            journal.violated(
                "I9",
                "nothing came to rest for " + MAX_QUIET_SECONDS + " s, and still open is " + one));
    leaving()
        .forEach(node -> journal.violated("I13", node + " was asked to drain and has not ended"));
    journal.unsaved().forEach(run -> journal.violated("I5", "the answer of " + run + " was lost"));
    if (continuous != null && !continuous.done()) {
      journal.violated("I18", "not every event of a continuous workflow was handled");
    }
    if (!simClients.done()) {
      journal.violated("I9", "a client still waits for its answer");
    }
  }

  private List<SimNode> leaving() {
    return nodes.stream().filter(SimNode::mustDrain).toList();
  }

  private static boolean isAtRest(WorkflowInstance one) {
    return one.status().isTerminal()
        || (one.type().equals("poison") && one.status() == InstanceStatus.MANUAL);
  }

  private List<WorkflowInstance> all() {
    return database
        .queries()
        .search(InstanceQuery.all().limit(InstanceQuery.MAX_LIMIT), null)
        .items();
  }

  SimNode anyNode() {
    return nodes.get(kernel.random.nextInt(nodes.size()));
  }

  /** Returns a node that clients can reach; null if there is none. */
  SimNode readyNode() {
    List<SimNode> ready = nodes.stream().filter(SimNode::ready).toList();
    return ready.isEmpty() ? null : ready.get(kernel.random.nextInt(ready.size()));
  }

  /** Starts a transaction of the application that holds an external id for some time. */
  void holdKey(String externalId) {
    if (kernel.now() < FAULTS.toNanos()) {
      journal.count("keys held");
      network.holdKey(externalId, Duration.ofMillis(kernel.random.nextInt(20_000)));
    }
  }

  String nextName() {
    return "result" + ++names;
  }

  /**
   * Checks that a delayed state does not run before its time by the database's clock, unless an
   * operator has retried it since it was entered.
   */
  void checkTimer(long instanceId, Duration delay) {
    List<HistoryEntry> history = database.queries().history(instanceId, 0, InstanceQuery.MAX_LIMIT);
    HistoryEntry entered =
        history.stream()
            .filter(a -> !a.move().from().equals(a.move().to()))
            .findFirst()
            .orElseThrow();
    boolean retried =
        history.stream()
            .anyMatch(a -> a.type() == HistoryEntryType.RETRY && a.seq() > entered.seq());
    if (!retried && databaseClock.instant().isBefore(entered.span().ended().plus(delay))) {
      journal.violated("I12", "instance " + instanceId + " ran before its time");
    }
  }

  /**
   * Checks that an instance was parked because of the deaths of its holders; no handler runs out of
   * attempts here.
   */
  void checkParked(WorkflowInstance one) {
    int deaths = 0;
    for (HistoryEntry historyEntry :
        database.queries().history(one.id(), 0, InstanceQuery.MAX_LIMIT)) {
      switch (historyEntry.type()) {
        case RECOVERY -> deaths++;
        case STATE_EXECUTION, STATE_EXECUTION_FAILED -> deaths = 0;
        default -> {}
      }
    }
    if (deaths < settings.leasing().maxRecoveries()) {
      journal.violated("I10", one + " was parked after " + deaths + " deaths of its holders");
    }
  }

  @Override
  public void close() {
    kernel.close();
  }
}
