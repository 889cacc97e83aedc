package io.millrace.continuous;

import io.millrace.extension.EngineServices;
import io.millrace.store.ContinuousStore;
import io.millrace.store.StoredContinuousWorkflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims workflows without an owner, and releases those that other executors could run as well.
 * Used by the supervisor's thread only.
 */
final class OwnershipBalancer {

  private static final Logger LOG = LoggerFactory.getLogger(OwnershipBalancer.class);
  private static final int MAX_NAMES = 100_000;
  private static final int PERCENT = 100;

  /** Difference that causes no rebalance. */
  private static final int TOLERANCE = 2;

  private static final int TOLERATED_PART = 10;

  /**
   * Wait before this engine claims beyond its share, since other executors have been notified, too.
   */
  private static final Duration COURTESY = Duration.ofMillis(500);

  /** Pause after a released workflow came back, because no other executor can run it. */
  private static final Duration FRUITLESS = Duration.ofHours(1);

  private final ContinuousStore store;
  private final ContinuousWorkflowCatalog catalog;
  private final EngineServices services;
  private final ContinuousSettings settings;
  private final TriggerRunRegistry runs;
  private final TriggerScheduler triggers;
  private final OwnershipReconciler reconciler;

  /** Times until which unowned workflows are left to other executors. */
  private final Map<String, Long> leftToOthers = new HashMap<>();

  /** Workflows that this engine released for balance. */
  private final Set<String> given = new HashSet<>();

  private long balancedUntil;

  OwnershipBalancer(
      ContinuousStore store,
      ContinuousWorkflowCatalog catalog,
      EngineServices services,
      ContinuousSettings settings,
      ContinuousSupervisor.LocalState localState) {
    this.store = store;
    this.catalog = catalog;
    this.services = services;
    this.settings = settings;
    this.runs = localState.runs();
    this.triggers = localState.triggers();
    this.reconciler = localState.ownership();
    this.balancedUntil = now();
  }

  private long now() {
    return services.runtime().clock().nanoTime();
  }

  /** Claims unowned workflows. Returns true if some are left that may be claimed soon. */
  boolean claim(long me) {
    int starts = settings.maxConcurrentStarts() - triggers.opening();
    if (starts <= 0) {
      return true;
    }
    List<String> unowned =
        store.unowned(services.executorGroup(), me, MAX_NAMES).stream()
            .filter(name -> catalog.knows(name) && !runs.has(name))
            .toList();
    leftToOthers.keySet().retainAll(new HashSet<>(unowned));
    if (unowned.isEmpty()) {
      return false;
    }
    Map<Long, Integer> load = store.ownedCounts(services.executorGroup());
    Set<Long> live = live(me);
    int room = share(load, live) - load.getOrDefault(me, 0);
    List<String> chosen = choose(unowned, room, starts);
    if (!chosen.isEmpty()) {
      for (StoredContinuousWorkflow row : store.claim(me, chosen)) {
        leftToOthers.remove(row.name());
        noteReturn(row.name());
        reconciler.adopt(row);
      }
    }
    return !leftToOthers.isEmpty() || (chosen.size() == starts && unowned.size() > starts);
  }

  /**
   * Chooses the unowned workflows to claim. Beyond its share a node claims what the others have
   * left for a while.
   */
  private List<String> choose(List<String> unowned, int room, int starts) {
    List<String> chosen = new ArrayList<>();
    long now = now();
    int free = room;
    for (String name : unowned) {
      if (chosen.size() == starts) {
        break;
      }
      Long until = leftToOthers.get(name);
      if (until == null ? free > 0 : now - until >= 0) {
        chosen.add(name);
        free--;
      } else if (until == null) {
        leftToOthers.put(name, now + COURTESY.toNanos());
      }
    }
    return chosen;
  }

  /** Leaves a workflow to other executors for some polls. */
  void leave(String name) {
    leftToOthers.put(name, now() + 2 * settings.scanInterval().toNanos());
  }

  private void noteReturn(String name) {
    if (given.remove(name)) {
      balancedUntil = now() + FRUITLESS.toNanos();
    }
  }

  private Set<Long> live(long me) {
    Set<Long> live = new HashSet<>(services.claimingExecutors());
    live.add(me);
    return live;
  }

  private static int total(Map<Long, Integer> load) {
    return load.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Returns the number of workflows that each executor should run. */
  static int share(Map<Long, Integer> load, Set<Long> live) {
    return Math.ceilDiv(total(load), Math.max(1, live.size()));
  }

  /** Releases some of this engine's workflows beyond its share for the executor with the fewest. */
  void rebalance(long me) {
    given.clear();
    if (settings.rebalancePercent() == 0 || now() - balancedUntil < 0) {
      return;
    }
    Map<Long, Integer> load = store.ownedCounts(services.executorGroup());
    Set<Long> live = live(me);
    int share = share(load, live);
    int beyond = load.getOrDefault(me, 0) - share;
    long least = live.stream().min(Comparator.comparing(id -> load.getOrDefault(id, 0))).orElse(me);
    int wanted = share - load.getOrDefault(least, 0);
    if (least == me || wanted <= 0 || beyond < Math.max(TOLERANCE, share / TOLERATED_PART)) {
      return;
    }
    int budget = Math.max(1, total(load) * settings.rebalancePercent() / PERCENT);
    int some = Math.min(budget, Math.min(beyond, wanted));
    List<TriggerRun> idle =
        runs.all().stream()
            .filter(run -> run.phase() == TriggerRun.Phase.IDLE)
            .limit(some)
            .toList();
    for (TriggerRun run : idle) {
      given.add(run.name());
      leave(run.name());
      reconciler.releaseWhenClosed(run, "REBALANCE", least);
    }
    LOG.info("{} continuous workflows are given to executor {}", idle.size(), least);
  }
}
