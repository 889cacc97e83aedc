package io.millrace.continuous;

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
 * supervisor's thread only, except for {@link #markDoubtful}, {@link #releaseUncertain} and {@link
 * #closeAll}.
 */
final class OwnershipReconciler {

  private static final Logger LOG = LoggerFactory.getLogger(OwnershipReconciler.class);
  private static final int PAGE = 1_000;

  /** More than these are read by pages. */
  private static final int MAX_READ_ONE_BY_ONE = 20;

  /** A trigger that is being asked may answer before it is given back. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final ContinuousStore store;
  private final ContinuousWorkflowCatalog continuousWorkflowCatalog;
  private final ContinuousHost host;
  private final TriggerRunRegistry triggerRunRegistry;
  private final TriggerScheduler triggers;
  private final Set<String> doubtful = ConcurrentHashMap.newKeySet();
  private final List<PendingRelease> pendingReleases = new ArrayList<>();
  private final Set<TriggerRun> uncertain = ConcurrentHashMap.newKeySet();
  private volatile boolean allDoubtful;

  /** Executions awaited at the last check. */
  private Map<String, Long> awaited = Map.of();

  /**
   * The runs when the database was asked. Those that were not closed may have fired since, so that
   * its answer may be older than the position of the workflow.
   */
  private record Before(Map<String, Long> executing, Set<TriggerRun> closed) {}

  /** A workflow to release once its source is closed. */
  private record PendingRelease(TriggerRun run, ReleaseTerms terms, long untilNanos) {}

  private record ReleaseTerms(String reason, @Nullable Long preferred) {}

  OwnershipReconciler(
      ContinuousStore store,
      ContinuousWorkflowCatalog continuousWorkflowCatalog,
      ContinuousHost host,
      TriggerRunRegistry triggerRunRegistry,
      TriggerScheduler triggers) {
    this.store = store;
    this.continuousWorkflowCatalog = continuousWorkflowCatalog;
    this.host = host;
    this.triggerRunRegistry = triggerRunRegistry;
    this.triggers = triggers;
  }

  /** Begins the run that a row of this executor tells of. */
  void adopt(StoredContinuousWorkflow row) {
    ContinuousWorkflow workflow = continuousWorkflowCatalog.find(row.name());
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
    TriggerRun before = triggerRunRegistry.put(run);
    if (before == null) {
      triggers.open(run);
    } else {
      before.whenClosed(() -> triggers.open(run));
    }
  }

  /** The database may say something else about this run: it is closed until that is known. */
  void markDoubtful(TriggerRun run) {
    doubtful.add(run.name());
    run.close();
  }

  /**
   * Releases a workflow with an unconfirmed fire: the next owner needs another epoch, so that a
   * write still in progress is rejected.
   */
  void releaseUncertain(TriggerRun run) {
    run.retire();
    uncertain.add(run);
    run.close();
  }

  /** A request failed whose effect nobody knows. */
  void doubtAll() {
    allDoubtful = true;
  }

  /** Closes all at once; they stay owned, as far as this engine knows. */
  void closeAll() {
    triggerRunRegistry.all().forEach(TriggerRun::close);
  }

  /** Looks up what is in doubt. */
  void clear(long me) {
    for (TriggerRun run : List.copyOf(uncertain)) {
      uncertain.remove(run);
      if (run.equals(triggerRunRegistry.find(run.name()))) {
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

  /** Compares what this executor owns with what is held, and looks closer where they differ. */
  void check(long me) {
    Map<String, Long> held = new HashMap<>();
    for (TriggerRun run : triggerRunRegistry.all()) {
      held.put(run.name(), run.owner().epoch());
    }
    if (!store.owned(me).equals(held)) {
      readAll(me);
    }
    confirmAwaited(me);
  }

  /** An answer may have told nobody that an execution is over. */
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

  /** Compares all that this executor owns with what is held. */
  void readAll(long me) {
    allDoubtful = false;
    doubtful.clear();
    try {
      Before before = before();
      Map<String, StoredContinuousWorkflow> rows = rows(me);
      for (TriggerRun run : triggerRunRegistry.all()) {
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
    Filter mine = new Filter(host.executorGroup(), null, me, null, false);
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
    for (TriggerRun run : triggerRunRegistry.all()) {
      Long executing = run.executing();
      if (executing != null && run.phase() == TriggerRun.Phase.AWAITING) {
        all.put(run.name(), executing);
      }
    }
    return all;
  }

  private Before before() {
    return new Before(
        executing(),
        triggerRunRegistry.all().stream().filter(TriggerRun::isClosed).collect(Collectors.toSet()));
  }

  private void compare(
      long me, String name, @Nullable StoredContinuousWorkflow row, Before before) {
    TriggerRun run = triggerRunRegistry.find(name);
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
      settleLost(run, row, before.executing.get(name));
    } else if (before.closed.contains(run)) {
      adopt(row);
    } else {
      doubtful.add(name);
    }
  }

  /** An answer may have been lost that told of the end of an execution. */
  private static void settleLost(
      TriggerRun run, StoredContinuousWorkflow row, @Nullable Long executing) {
    if (executing != null && !executing.equals(row.activity().executionId())) {
      run.executionEnded(executing);
    }
  }

  private void lose(TriggerRun run) {
    triggerRunRegistry.remove(run);
    pendingReleases.removeIf(pendingRelease -> pendingRelease.run.equals(run));
    LOG.info(
        "Continuous workflow '{}' is not this engine's any more, since epoch {}",
        run.name(),
        run.owner().epoch());
  }

  /** Closes a run, and gives the workflow back when that is done. */
  void releaseWhenClosed(TriggerRun run, String reason, @Nullable Long preferred) {
    run.retire();
    run.close();
    pendingReleases.add(
        new PendingRelease(
            run,
            new ReleaseTerms(reason, preferred),
            host.runtime().clock().nanoTime() + PATIENCE.toNanos()));
  }

  /** Gives back whatever is closed, or does not close. Answers with true when something waits. */
  boolean releasePending() {
    if (pendingReleases.isEmpty()) {
      return false;
    }
    long now = host.runtime().clock().nanoTime();
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
        triggerRunRegistry.remove(pendingRelease.run);
        LOG.info(
            "Continuous workflow '{}' was given back ({})",
            pendingRelease.run.name(),
            entry.getKey().reason);
      }
    }
    if (!ready.isEmpty()) {
      host.wake();
    }
    return !pendingReleases.isEmpty();
  }
}
