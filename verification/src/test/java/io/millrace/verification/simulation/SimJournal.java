package io.millrace.verification.simulation;

import io.millrace.event.EngineEvent;
import io.millrace.instance.HistoryEntryType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The record of an observer outside of all simulated machines, and the promises that can be checked
 * during the run.
 */
final class SimJournal {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  /** A start that the client was told about; the external id is null if it gave none. */
  record Acknowledged(String token, long id) {}

  private record Claimed(SimHost host, long instanceId, int leaseVersion) {}

  private record Place(SimHost host, long instanceId) {}

  /** An instance and the executor that reported accepted transitions of it. */
  record ReportKey(long instanceId, long executorId) {}

  final List<Acknowledged> acknowledged = new ArrayList<>();
  final Set<String> asked = new HashSet<>();
  final Map<ReportKey, Integer> reported = new LinkedHashMap<>();
  final Map<Long, Integer> deaths = new TreeMap<>();

  /** Times of kills, and of late renewals by killed machines. */
  final List<Instant> kills = new ArrayList<>();

  final List<Violation> violations = new ArrayList<>();
  final Map<String, Integer> counts = new TreeMap<>();

  private final SimulationKernel simulationKernel;
  private final Map<Long, List<HandlerRun>> runs = new HashMap<>();
  private final Set<Claimed> lost = new HashSet<>();
  private final Map<SimHost, Long> pausedUntil = new HashMap<>();
  private final Map<String, String> onceResults = new HashMap<>();
  private final Map<Place, HandlerRun> unsaved = new LinkedHashMap<>();

  SimJournal(SimulationKernel simulationKernel) {
    this.simulationKernel = simulationKernel;
  }

  void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  /** Records an action of the simulation on a machine. */
  void fault(Object where, String what) {
    count(what);
    simulationKernel.note(where, what, () -> "");
  }

  void violated(String invariant, String what) {
    violations.add(new Violation(invariant, what + " (at " + simulationKernel.now() / 1e9 + " s)"));
    simulationKernel.note("!", "violation", violations::getLast);
  }

  /**
   * Records the kill of a machine, by the nemesis or by a handler; handlers kill even after the
   * faults are over.
   */
  void killed(Object machine) {
    fault(machine, "killed");
    kills.add(new SimClock(simulationKernel).instant());
  }

  /** Records that the lease of a killed machine was renewed. */
  void renewedAfterDeath() {
    kills.add(new SimClock(simulationKernel).instant());
  }

  void paused(SimHost simHost, Duration time) {
    pausedUntil.put(simHost, simulationKernel.now() + time.toNanos());
  }

  HandlerRun begin(HandlerRun run) {
    count("steps begun");
    simulationKernel.note(run.host, "begin", () -> run);
    List<HandlerRun> before = runs.computeIfAbsent(run.instanceId, id -> new ArrayList<>());
    if (lost.contains(new Claimed(run.host, run.instanceId, run.leaseVersion))) {
      violated("I7", run + " began after its lease was known to be lost");
    }
    for (HandlerRun other : before) {
      if (other.running() && !mayOverlap(other)) {
        violated("I8", run + " began while " + other + " was running");
      }
    }
    before.removeIf(other -> !other.running());
    before.add(run);
    return run;
  }

  private boolean mayOverlap(HandlerRun other) {
    return other.ignoresCancellation || pausedSince(other, other.startTime());
  }

  private boolean pausedSince(HandlerRun run, long time) {
    return pausedUntil.getOrDefault(run.host, -1L) >= time;
  }

  void end(HandlerRun run) {
    run.end();
    if (run.host.dead()) {
      return;
    }
    simulationKernel.note(run.host, "end", () -> run);
    long fenced = run.fenced();
    if (fenced >= 0
        && simulationKernel.now() - fenced > SECOND
        && !run.ignoresCancellation
        && !pausedSince(run, fenced)) {
      violated("I7", run + " went on for more than a second after its lease was lost");
    }
  }

  /**
   * Records an answer, which is to be saved now, for as long as that takes, unless the lease is
   * lost.
   */
  void answered(HandlerRun run) {
    unsaved.put(new Place(run.host, run.instanceId), run);
  }

  /**
   * Records a new claim by the same machine, which thereby knows that an earlier claim was lost.
   */
  void claimed(SimHost simHost, long instanceId, int leaseVersion) {
    unsaved.computeIfPresent(
        new Place(simHost, instanceId),
        (place, run) -> run.leaseVersion < leaseVersion ? null : run);
  }

  /**
   * Records that the start of an engine failed. It drops its claimed instances; others recover them
   * when its lease expires.
   */
  void startFailed(SimHost simHost) {
    unsaved.keySet().removeIf(place -> place.host.equals(simHost));
  }

  /** Returns the unsaved answers of live machines. */
  List<HandlerRun> unsaved() {
    return unsaved.values().stream().filter(run -> !run.host.dead()).toList();
  }

  /** Checks the result of a step that happens once in a visit of a state. */
  void once(String visit, String result) {
    String before = onceResults.putIfAbsent(visit, result);
    if (before != null && !before.equals(result)) {
      violated("I6", "once in visit " + visit + " gave " + before + " and later " + result);
    }
  }

  void event(SimNode node, SimHost simHost, EngineEvent event) {
    simulationKernel.note(simHost, event.getClass().getSimpleName(), () -> event);
    switch (event) {
      case EngineEvent.ResultFenced resultFenced -> {
        count("fenced");
        unsaved.remove(new Place(simHost, resultFenced.instanceId()));
        lost.add(new Claimed(simHost, resultFenced.instanceId(), resultFenced.leaseVersion()));
        runs.getOrDefault(resultFenced.instanceId(), List.of()).stream()
            .filter(r -> r.host == simHost && r.leaseVersion == resultFenced.leaseVersion())
            .forEach(r -> r.fence(simulationKernel.now()));
        node.checkFenced(resultFenced);
      }
      case EngineEvent.TransitionSaved saved -> {
        count("transitions");
        if (saved.transition().type() == HistoryEntryType.ABANDONED) {
          count("abandoned");
        } else if (saved.transition().type() != HistoryEntryType.STATE_EXECUTION_FAILED) {
          count("transitions forward");
        }
        unsaved.remove(new Place(simHost, saved.instanceId()));
        reported.merge(new ReportKey(saved.instanceId(), node.executorId()), 1, Integer::sum);
      }
      case EngineEvent.InstanceRecovered instanceRecovered -> count("recovered");
      case EngineEvent.LeaseLost lost -> count("leases lost");
      default -> {}
    }
  }
}
