package io.millrace.continuous;

import io.millrace.extension.EngineServices;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.Filter;
import io.millrace.store.ContinuousStore.Owner;
import io.millrace.store.StoredContinuousWorkflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens and closes the runs of the workflows that this engine owns by the database. Used by the
 * supervisor's thread only, except for {@link #markDoubtful}, {@link #releaseUnconfirmed} and
 * {@link #closeAll}.
 */
final class OwnershipReconciler {

  private static final Logger LOG = LoggerFactory.getLogger(OwnershipReconciler.class);
  private static final int PAGE = 1_000;

  /** Number of doubtful workflows up to which they are read one by one. */
  private static final int MAX_READ_ONE_BY_ONE = 20;

  /** Wait before a release, since a trigger that is being polled may return in this time. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final ContinuousStore store;
  private final ContinuousWorkflowCatalog catalog;
  private final EngineServices services;
  private final TriggerRunRegistry runs;
  private final TriggerScheduler triggers;
  private final Set<String> doubtful = ConcurrentHashMap.newKeySet();
  private final List<PendingRelease> pendingReleases = new ArrayList<>();
  private final Set<TriggerRun> unconfirmed = ConcurrentHashMap.newKeySet();
  private volatile boolean allDoubtful;

  /** Executions awaited at the last check. */
  private Map<String, Long> awaited = Map.of();

  /**
   * The runs at the time of a query. Runs that were not closed may have fired since, so that the
   * query's result may be older than the position of the workflow.
   */
  private record Before(Map<String, Long> executing, Set<TriggerRun> closed) {}

  /** A workflow to release once its source is closed. */
  private record PendingRelease(TriggerRun run, ReleaseTerms terms, long untilNanos) {}

  private record ReleaseTerms(String reason, @Nullable Long preferred) {}

  OwnershipReconciler(
      ContinuousStore store,
      ContinuousWorkflowCatalog catalog,
      EngineServices services,
      TriggerRunRegistry runs,
      TriggerScheduler triggers) {
    this.store = store;
    this.catalog = catalog;
    this.services = services;
    this.runs = runs;
    this.triggers = triggers;
  }

  /** Starts a run for a workflow that this executor owns. */
  void adopt(StoredContinuousWorkflow row) {
    ContinuousWorkflow workflow = catalog.find(row.name());
    StoredContinuousWorkflow.Run told = row.run();
    Long me = row.ownership().executorId();
    if (workflow == null || told == null || me == null) {
      LOG.debug("Nothing is known here of {}", row);
      return;
    }
    Owner owner = new Owner(row.name(), me, row.ownership().epoch());
    TriggerRun run = new TriggerRun(workflow, owner, row, triggers);
    LOG.info(
        "Continuous workflow '{}' runs here as {}, epoch {}: {} ({})",
        row.name(),
        run.start().ids().runId(),
        owner.epoch(),
        told.mode(),
        told.reason());
    TriggerRun before = runs.put(run);
    if (before == null) {
      triggers.open(run);
    } else {
      before.whenClosed(() -> triggers.open(run));
    }
  }

  /** Closes a run until it is known what the database has, which may differ. */
  void markDoubtful(TriggerRun run) {
    doubtful.add(run.name());
    run.close();
  }

  /**
   * Releases a workflow with an unconfirmed fire: the next owner needs another epoch, so that a
   * write still in progress is rejected.
   */
  void releaseUnconfirmed(TriggerRun run) {
    run.retire();
    unconfirmed.add(run);
    run.close();
  }

  /** Marks all workflows as doubtful after a request failed whose effect is unknown. */
  void doubtAll() {
    allDoubtful = true;
  }

  /** Closes all runs at once. The workflows stay owned, as far as this engine knows. */
  void closeAll() {
    runs.all().forEach(TriggerRun::close);
  }

  /** Reads the doubtful workflows. */
  void clear(long me) {
    for (TriggerRun run : List.copyOf(unconfirmed)) {
      unconfirmed.remove(run);
      if (run.equals(runs.find(run.name()))) {
        releaseWhenClosed(run, "RESTART", null);
      }
    }
    releasePending();
    if (allDoubtful || doubtful.size() > MAX_READ_ONE_BY_ONE) {
      readAll(me);
      return;
    }
    for (String name : List.copyOf(doubtful)) {
      Before before = before();
      Optional<StoredContinuousWorkflow> row = store.find(name);
      doubtful.remove(name);
      compare(me, name, row.orElse(null), before);
    }
  }

  /** Compares the owned workflows with the runs, and reads the rows if they differ. */
  void check(long me) {
    Map<String, Long> held = new HashMap<>();
    for (TriggerRun run : runs.all()) {
      held.put(run.name(), run.owner().epoch());
    }
    if (!store.owned(me).equals(held)) {
      readAll(me);
    }
    confirmAwaited(me);
  }

  /**
   * Reads workflows whose execution has not changed since the last check: the report of its end may
   * have been lost.
   */
  private void confirmAwaited(long me) {
    Map<String, Long> before = awaited;
    awaited = executing();
    awaited.forEach((name, execution) -> {
      if (execution.equals(before.get(name))) {
        doubtful.add(name);
      }
    });
    clear(me);
  }

  /** Compares the rows of all owned workflows with the runs. */
  void readAll(long me) {
    allDoubtful = false;
    doubtful.clear();
    try {
      Before before = before();
      Map<String, StoredContinuousWorkflow> rows = rows(me);
      for (TriggerRun run : runs.all()) {
        if (!rows.containsKey(run.name())) {
          compare(me, run.name(), null, before);
        }
      }
      rows.forEach((name, row) -> compare(me, name, row, before));
    } catch (RuntimeException e) {
      allDoubtful = true;
      throw e;
    }
  }

  private Map<String, StoredContinuousWorkflow> rows(long me) {
    Map<String, StoredContinuousWorkflow> rows = new LinkedHashMap<>();
    Filter mine = new Filter(services.executorGroup(), null, me, null, false);
    String after = null;
    List<StoredContinuousWorkflow> page;
    do {
      page = store.list(mine, after, PAGE);
      page.forEach(row -> rows.put(row.name(), row));
      after = page.isEmpty() ? null : page.getLast().name();
    } while (page.size() == PAGE);
    return rows;
  }

  private Map<String, Long> executing() {
    Map<String, Long> all = new HashMap<>();
    for (TriggerRun run : runs.all()) {
      Long executing = run.executing();
      if (executing != null && run.phase() == TriggerRun.Phase.AWAITING) {
        all.put(run.name(), executing);
      }
    }
    return all;
  }

  private Before before() {
    return new Before(
        executing(), runs.all().stream().filter(TriggerRun::isClosed).collect(Collectors.toSet()));
  }

  private void compare(
      long me, String name, @Nullable StoredContinuousWorkflow row, Before before) {
    TriggerRun run = runs.find(name);
    Owner owner =
        row == null || !Objects.equals(row.ownership().executorId(), me)
            ? null
            : new Owner(name, me, row.ownership().epoch());
    if (owner == null || row == null) {
      if (run != null) {
        lose(run);
      }
      return;
    }
    boolean same =
        run != null
            && run.owner().equals(owner)
            && row.run() != null
            && row.run().generation() == run.generation();
    if (run == null || !same) {
      adopt(row);
    } else if (run.isAlive() || run.isRetired()) {
      endLost(run, row, before.executing.get(name));
    } else if (before.closed.contains(run)) {
      adopt(row);
    } else {
      doubtful.add(name);
    }
  }

  /** Ends an awaited execution whose end was not reported. */
  private static void endLost(
      TriggerRun run, StoredContinuousWorkflow row, @Nullable Long executing) {
    if (executing != null && !executing.equals(row.activity().executionId())) {
      run.executionEnded(executing);
    }
  }

  private void lose(TriggerRun run) {
    runs.remove(run);
    pendingReleases.removeIf(pendingRelease -> pendingRelease.run.equals(run));
    LOG.info(
        "Continuous workflow '{}' is not this engine's any more, since epoch {}",
        run.name(),
        run.owner().epoch());
  }

  /** Closes a run, and releases the workflow once the run is closed. */
  void releaseWhenClosed(TriggerRun run, String reason, @Nullable Long preferred) {
    run.retire();
    run.close();
    pendingReleases.add(
        new PendingRelease(
            run,
            new ReleaseTerms(reason, preferred),
            services.runtime().clock().nanoTime() + PATIENCE.toNanos()));
  }

  /**
   * Releases workflows whose run is closed, or does not close in time. Returns true if others wait.
   */
  boolean releasePending() {
    if (pendingReleases.isEmpty()) {
      return false;
    }
    long now = services.runtime().clock().nanoTime();
    Map<ReleaseTerms, List<PendingRelease>> ready = new LinkedHashMap<>();
    for (PendingRelease pendingRelease : pendingReleases) {
      if (pendingRelease.run.isClosed() || now - pendingRelease.untilNanos >= 0) {
        ready
            .computeIfAbsent(pendingRelease.terms, releaseTerms -> new ArrayList<>())
            .add(pendingRelease);
      }
    }
    for (Map.Entry<ReleaseTerms, List<PendingRelease>> entry : ready.entrySet()) {
      List<PendingRelease> all = entry.getValue();
      store.release(
          all.stream().map(pendingRelease -> pendingRelease.run.owner()).toList(),
          entry.getKey().reason,
          entry.getKey().preferred);
      pendingReleases.removeAll(new HashSet<>(all));
      for (PendingRelease pendingRelease : all) {
        runs.remove(pendingRelease.run);
        LOG.info(
            "Continuous workflow '{}' was released ({})",
            pendingRelease.run.name(),
            entry.getKey().reason);
      }
    }
    if (!ready.isEmpty()) {
      services.poll();
    }
    return !pendingReleases.isEmpty();
  }
}
