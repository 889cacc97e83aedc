package io.millrace.verification.simulation;

import io.millrace.event.EngineEvent;
import io.millrace.instance.ActionType;
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
 * What an observer outside of all simulated machines has seen, and the promises that can be judged
 * while it happens.
 */
final class Journal {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  /** A start that the client was told about; the external id is null when it gave none. */
  record Acknowledged(String token, long id) {}

  private record Claimed(Host host, long instanceId, int leaseVersion) {}

  private record Place(Host host, long instanceId) {}

  /** Accepted transitions of an instance that an executor reported. */
  record Reporter(long instanceId, long executorId) {}

  final List<Acknowledged> acknowledged = new ArrayList<>();
  final Set<String> asked = new HashSet<>();
  final Map<Reporter, Integer> reported = new LinkedHashMap<>();
  final Map<Long, Integer> deaths = new TreeMap<>();

  /** Times of kills, and of renewals by killed machines that arrived late. */
  final List<Instant> kills = new ArrayList<>();

  final List<Violation> violations = new ArrayList<>();
  final Map<String, Integer> counts = new TreeMap<>();

  private final Kernel kernel;
  private final Map<Long, List<HandlerRun>> runs = new HashMap<>();
  private final Set<Claimed> lost = new HashSet<>();
  private final Map<Host, Long> pausedUntil = new HashMap<>();
  private final Map<String, String> onceResults = new HashMap<>();
  private final Map<Place, HandlerRun> unsaved = new LinkedHashMap<>();

  Journal(Kernel kernel) {
    this.kernel = kernel;
  }

  void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  /** Something that the simulation does to a machine. */
  void fault(Object where, String what) {
    count(what);
    kernel.note(where, what, () -> "");
  }

  void violated(String invariant, String what) {
    violations.add(new Violation(invariant, what + " (at " + kernel.now() / 1e9 + " s)"));
    kernel.note("!", "violation", violations::getLast);
  }

  /** A machine is killed, by the nemesis or by a handler, which goes on when all else is calm. */
  void killed(Object machine) {
    fault(machine, "killed");
    kills.add(new SimClock(kernel).instant());
  }

  /** The lease of a machine that was killed runs again. */
  void renewedAfterDeath() {
    kills.add(new SimClock(kernel).instant());
  }

  void paused(Host host, Duration time) {
    pausedUntil.put(host, kernel.now() + time.toNanos());
  }

  HandlerRun begin(HandlerRun run) {
    count("steps begun");
    kernel.note(run.host, "begin", () -> run);
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
    return other.stubborn || pausedSince(other, other.began());
  }

  private boolean pausedSince(HandlerRun run, long time) {
    return pausedUntil.getOrDefault(run.host, -1L) >= time;
  }

  void end(HandlerRun run) {
    run.end();
    if (run.host.dead()) {
      return;
    }
    kernel.note(run.host, "end", () -> run);
    long fenced = run.fenced();
    if (fenced >= 0
        && kernel.now() - fenced > SECOND
        && !run.stubborn
        && !pausedSince(run, fenced)) {
      violated("I7", run + " went on for more than a second after its lease was lost");
    }
  }

  /** Its answer is to be saved now, for as long as that takes, unless the lease is lost. */
  void answered(HandlerRun run) {
    unsaved.put(new Place(run.host, run.instanceId), run);
  }

  /** Claimed anew by the same machine, which thereby knows that an earlier claim was lost. */
  void claimed(Host host, long instanceId, int leaseVersion) {
    unsaved.computeIfPresent(
        new Place(host, instanceId), (place, run) -> run.leaseVersion < leaseVersion ? null : run);
  }

  /**
   * An engine whose start fails gives up what it has begun; its lease lets others take that over.
   */
  void startFailed(Host host) {
    unsaved.keySet().removeIf(place -> place.host.equals(host));
  }

  /** Answers that are not saved yet, of machines that live. */
  List<HandlerRun> unsaved() {
    return unsaved.values().stream().filter(run -> !run.host.dead()).toList();
  }

  /** The result of a step that is to happen once in a visit of a state. */
  void once(String visit, String result) {
    String before = onceResults.putIfAbsent(visit, result);
    if (before != null && !before.equals(result)) {
      violated("I6", "once in visit " + visit + " gave " + before + " and later " + result);
    }
  }

  void event(SimNode node, Host host, EngineEvent event) {
    kernel.note(host, event.getClass().getSimpleName(), () -> event);
    switch (event) {
      case EngineEvent.Fenced fenced -> {
        count("fenced");
        unsaved.remove(new Place(host, fenced.instanceId()));
        lost.add(new Claimed(host, fenced.instanceId(), fenced.leaseVersion()));
        runs.getOrDefault(fenced.instanceId(), List.of()).stream()
            .filter(r -> r.host == host && r.leaseVersion == fenced.leaseVersion())
            .forEach(r -> r.fence(kernel.now()));
        node.checkFenced(fenced);
      }
      case EngineEvent.StepSaved saved -> {
        count("transitions");
        if (saved.step().action() == ActionType.ABANDONED) {
          count("abandoned");
        } else if (saved.step().action() != ActionType.STATE_EXECUTION_FAILED) {
          count("transitions forward");
        }
        unsaved.remove(new Place(host, saved.instanceId()));
        reported.merge(new Reporter(saved.instanceId(), node.executorId()), 1, Integer::sum);
      }
      case EngineEvent.Recovered recovered -> count("recovered");
      case EngineEvent.LeasesGivenUp up -> count("leases given up");
      default -> {}
    }
  }
}
