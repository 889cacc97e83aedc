package io.millrace.continuous;

import io.millrace.codec.Codec;
import io.millrace.extension.EngineServices;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Waiter;
import io.millrace.store.ContinuousStore;
import io.millrace.store.StoreException;
import io.millrace.store.StoredContinuousWorkflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops continuous workflows as the database says: polls every few seconds and when
 * woken. Its single thread decides about all runs of this engine; the number of its statements does
 * not depend on the number of workflows.
 */
final class ContinuousSupervisor {

  private static final Logger LOG = LoggerFactory.getLogger(ContinuousSupervisor.class);

  /** The reason of a disabled workflow. */
  static final String DISABLED = "DISABLED";

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Minimum pause between hints of other nodes, which may come often. */
  private static final Duration BETWEEN_HINTS = Duration.ofMillis(200);

  /** Pause while runs wait to be opened or are being closed. */
  private static final Duration BUSY_PAUSE = Duration.ofMillis(100);

  /** Time within which a failed request may still be carried out. */
  private static final Duration LATE = Duration.ofSeconds(30);

  private static final Duration CLOSING_PATIENCE = Duration.ofSeconds(1);

  private final ContinuousStore store;
  private final ContinuousWorkflowCatalog catalog;
  private final EngineServices services;
  private final ContinuousSettings settings;
  private final Codec codec;
  private final LocalState localState;
  private final TriggerRunRegistry triggerRunRegistry;
  private final OwnershipReconciler reconciler;
  private final OwnershipBalancer ownershipBalancer;
  private final MissedPeriodRecorder recorder;
  private final AtomicLong gaps = new AtomicLong();
  private volatile long comparedGaps;
  private volatile boolean urgent = true;
  private volatile boolean hinted;
  private volatile long compareUntil;
  private boolean registered;
  private @Nullable Long lastExecutor;
  private long polledNanos;
  private long nextMinute;
  private long nextContinuation;
  private volatile @Nullable Loop loop;

  /** The state of this engine's runs. */
  record LocalState(
      TriggerRunRegistry runs,
      TriggerScheduler triggers,
      OwnershipReconciler ownership,
      TriggerFailureReporter failures,
      ExecutionEndTracker ends) {}

  ContinuousSupervisor(
      ContinuousStore store,
      ContinuousWorkflowCatalog catalog,
      EngineServices services,
      ContinuousSettings settings,
      Codec codec,
      LocalState localState) {
    this.store = store;
    this.catalog = catalog;
    this.services = services;
    this.settings = settings;
    this.codec = codec;
    this.localState = localState;
    this.triggerRunRegistry = localState.runs();
    this.reconciler = localState.ownership();
    this.recorder = new MissedPeriodRecorder(store);
    this.ownershipBalancer = new OwnershipBalancer(store, catalog, services, settings, localState);
    long now = now();
    this.polledNanos = now;
    this.compareUntil = now;
    this.nextMinute = now + MINUTE.toNanos();
    Duration check = catalog.checkEvery();
    this.nextContinuation = now + (check == null ? 0 : check.toNanos());
  }

  void start() {
    loop = services.runtime().runner().loop("millrace-continuous", this::tick);
  }

  /** Polls as soon as possible. */
  void pollNow() {
    urgent = true;
    wakeLoop();
  }

  /** Polls soon, but not at once again after other hints. */
  void pollSoon() {
    hinted = true;
    wakeLoop();
  }

  /** Reacts to a failed request: for a while each poll compares what this executor owns. */
  void compareForAWhile() {
    compareUntil = now() + LATE.toNanos();
  }

  /** Acknowledges the ends of executions that were reported, without a poll. */
  void acknowledgeSoon() {
    wakeLoop();
  }

  private void wakeLoop() {
    Loop present = loop;
    if (present != null) {
      present.wake();
    }
  }

  /**
   * Closes all triggers. After the lease has ended, nothing fires until it is known what this
   * executor still owns.
   */
  void leaseLost() {
    gaps.incrementAndGet();
    services
        .runtime()
        .runner()
        .runOnPlatform(
            "millrace-close",
            () -> {
              reconciler.closeAll();
              // The supervisor may have compared before. Runs that were closed since must be opened
              // again.
              gaps.incrementAndGet();
              pollNow();
            });
  }

  boolean mayFire() {
    return gaps.get() == comparedGaps && services.isLeaseValid();
  }

  private long now() {
    return services.runtime().clock().nanoTime();
  }

  private Duration tick() {
    OptionalLong me = services.executorId();
    if (me.isEmpty()) {
      return settings.scanInterval();
    }
    try {
      acknowledgeReportedEnds(me.getAsLong());
      long age = now() - polledNanos;
      if (urgent
          || age >= settings.scanInterval().toNanos()
          || (hinted && age >= BETWEEN_HINTS.toNanos())) {
        urgent = false;
        hinted = false;
        polledNanos = now();
        poll(me.getAsLong());
      }
    } catch (StoreException e) {
      reconciler.doubtAll();
      compareForAWhile();
      LOG.debug("Continuous workflows cannot be polled now", e);
      return settings.scanInterval();
    }
    Duration left = settings.scanInterval().minusNanos(now() - polledNanos);
    if (hinted && BETWEEN_HINTS.compareTo(left) < 0) {
      return BETWEEN_HINTS;
    }
    return urgent ? BUSY_PAUSE : left.isNegative() ? Duration.ZERO : left;
  }

  private void acknowledgeReportedEnds(long me) {
    if (!localState.ends().isEmpty()) {
      List<String> names = localState.ends().take();
      try {
        acknowledgeEnds(me, names);
      } catch (StoreException e) {
        names.forEach(localState.ends()::mayHaveEnded);
        throw e;
      }
    }
  }

  private void acknowledgeEnds(long me, List<String> names) {
    for (ContinuousStore.EndedExecution endedExecution : store.acknowledgeEnded(me, names)) {
      TriggerRun run = triggerRunRegistry.find(endedExecution.name());
      LOG.debug(
          "Execution {} of '{}' is over", endedExecution.executionId(), endedExecution.name());
      localState.ends().forget(endedExecution.executionId());
      if (run != null) {
        run.executionEnded(endedExecution.executionId());
      }
    }
  }

  private void poll(long me) {
    register();
    if (!compareAfterGap(me)) {
      return;
    }
    reconciler.clear(me);
    if (now() - compareUntil < 0) {
      reconciler.check(me);
    }
    localState.failures().report();
    carryOutRequests(me);
    if (services.isStopping()) {
      handOver();
      return;
    }
    if (triggerRunRegistry.all().stream().anyMatch(run -> run.executing() != null)) {
      acknowledgeEnds(me, List.of());
    }
    if (services.acceptsWork() && ownershipBalancer.claim(me)) {
      urgent = true;
    }
    continueRuns(me);
    everyMinute(me);
    if (reconciler.releasePending()) {
      urgent = true;
    }
  }

  private void register() {
    if (!registered) {
      store.register(catalog.registrations(services.executorGroup(), codec));
      registered = true;
    }
  }

  /**
   * Compares open runs with owned workflows after a gap of the lease. Returns false while the lease
   * is not valid.
   */
  private boolean compareAfterGap(long me) {
    Long before = lastExecutor;
    if (before != null && before != me) {
      reconciler.closeAll();
      gaps.incrementAndGet();
    }
    lastExecutor = me;
    if (!services.isLeaseValid()) {
      return false;
    }
    long seen = gaps.get();
    if (seen != comparedGaps) {
      reconciler.readAll(me);
      comparedGaps = seen;
      LOG.info(
          "Executor {} goes on with {} continuous workflows", me, triggerRunRegistry.all().size());
    }
    return true;
  }

  private void carryOutRequests(long me) {
    List<String> wanted = new ArrayList<>();
    for (StoredContinuousWorkflow row : store.changed(me)) {
      TriggerRun run = triggerRunRegistry.find(row.name());
      if (run == null || run.isRetired()) {
        continue;
      }
      store.acknowledge(run.owner(), row.requested().revision());
      StoredContinuousWorkflow.OwnerRequest ownerRequest = row.requested().request();
      if (!row.requested().enabled()) {
        reconciler.releaseWhenClosed(run, DISABLED, null);
      } else if (ownerRequest == null) {
        run.wake();
      } else {
        switch (ownerRequest) {
          case RESTART -> reconciler.releaseWhenClosed(run, "MANUAL", null);
          case MOVE -> {
            ownershipBalancer.leave(row.name());
            reconciler.releaseWhenClosed(run, "HAND_OVER", row.ownership().preferred());
          }
          case CONTINUE -> wanted.add(row.name());
        }
      }
    }
    reconciler.releasePending();
    if (!wanted.isEmpty()) {
      continueRuns(me, wanted, "MANUAL");
    }
  }

  private void continueRuns(long me) {
    Duration every = catalog.checkEvery();
    if (every == null || triggerRunRegistry.isEmpty() || now() - nextContinuation < 0) {
      return;
    }
    nextContinuation = now() + every.toNanos();
    List<String> names =
        triggerRunRegistry.all().stream()
            .filter(run -> run.hasIterated() && !run.isRetired())
            .map(TriggerRun::name)
            .filter(name -> catalog.continuation(name).enabled())
            .toList();
    continueRuns(me, names, "HOURLY");
  }

  private void continueRuns(long me, List<String> names, String reason) {
    Map<Duration, List<String>> byAge = new HashMap<>();
    for (String name : names) {
      byAge
          .computeIfAbsent(catalog.continuation(name).minAge(), age -> new ArrayList<>())
          .add(name);
    }
    byAge.forEach((minAge, some) -> {
      List<StoredContinuousWorkflow> next = store.continueAsNew(me, some, minAge, reason);
      next.forEach(reconciler::adopt);
      if (reason.equals("MANUAL") && next.size() < some.size()) {
        LOG.info("Of {}, {} could not be continued", some, some.size() - next.size());
      }
    });
  }

  private void everyMinute(long me) {
    if (now() - nextMinute >= 0) {
      nextMinute = now() + MINUTE.toNanos();
      reconciler.check(me);
      ownershipBalancer.rebalance(me);
      recorder.recordWhileBusy(
          List.copyOf(triggerRunRegistry.all()), services.runtime().clock().instant());
    }
  }

  /** Stops all triggers and releases them for the other nodes. */
  private void handOver() {
    for (TriggerRun run : triggerRunRegistry.all()) {
      if (!run.isRetired()) {
        reconciler.releaseWhenClosed(run, services.reasonOfStop(), null);
      }
    }
    urgent |= reconciler.releasePending();
  }

  /** Stops polling and releases all workflows. Running executions go on. */
  void stop(Duration patience) {
    reconciler.closeAll();
    Loop present = loop;
    if (present == null) {
      return;
    }
    if (!present.stop(patience)) {
      LOG.warn("Continuous workflows are released when this executor signs off");
      return;
    }
    OptionalLong me = services.executorId();
    if (me.isEmpty() || triggerRunRegistry.isEmpty()) {
      return;
    }
    try {
      handOver();
      awaitClosed();
      reconciler.releasePending();
    } catch (StoreException e) {
      LOG.warn(
          "{} continuous workflows could not be released; others claim them when this executor"
              + " has signed off: {}",
          triggerRunRegistry.all().size(),
          e.getMessage());
    }
  }

  private void awaitClosed() {
    Waiter waiter = services.runtime().runner().waiter();
    long end = now() + CLOSING_PATIENCE.toNanos();
    while (reconciler.releasePending() && now() - end < 0) {
      try {
        waiter.await(BUSY_PAUSE);
      } catch (InterruptedException e) {
        LOG.debug("A stop goes on although its thread was interrupted");
      }
    }
    if (localState.triggers().isBusy() && services.interruptible()) {
      localState.triggers().interrupt();
    }
  }
}
