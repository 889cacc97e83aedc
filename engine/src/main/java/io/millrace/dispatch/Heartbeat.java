package io.millrace.dispatch;

import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.ExecutorState;
import io.millrace.instance.StopReason;
import io.millrace.lifecycle.EndSteps;
import io.millrace.lifecycle.IntervalThrottle;
import io.millrace.lifecycle.Loop;
import io.millrace.store.ExecutorStore;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heartbeat of an executor, on a thread of its own. Each one renews the {@linkplain
 * ExecutorLease lease} in database time, learns the orders of operators, stores what has changed of
 * the executor, and reconciles.
 */
final class Heartbeat {

  private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);
  private static final int RELEASE_TRIES = 2;
  private static final String ITSELF = "its own process";
  private static final Duration RETRY_AFTER = Duration.ofMillis(250);

  private final EngineContext engine;
  private final ExecutorLease lease;
  private final PollRequests polls;
  private final StopRequest stopRequest;
  private final InstanceProcessor processor;
  private final Reconciler reconciler;
  private final Store.ReservedAccess reservedAccess;
  private final ExecutorStore executors;
  private final IntervalThrottle warnings;
  private volatile boolean failing;
  private final long begunNanos;
  private volatile @Nullable Duration setup;
  private volatile boolean warm;
  private volatile boolean toldReady;
  private List<Integer> storedDefinitions;
  private String reportedFailures = "";
  private final Loop loop;

  /**
   * Carries out an operator's order to drain. Null until the executor is complete: the next
   * heartbeat repeats an order that comes earlier.
   */
  private volatile @Nullable ExecutorShutdown shutdown;

  /** A registered executor, and the monotonic time before it was registered. */
  record Registration(
      long executorId, List<Integer> definitionIds, long nanos, Store.ReservedAccess reserved) {

    /**
     * Takes the registration back, since the executor could not be created. Heartbeats may have
     * registered it again.
     */
    void undo(ExecutorLease lease) {
      EndSteps.run(() -> reserved.executors().markStopped(lease.executorId()), reserved.release());
    }
  }

  /** Registers the executor. If this fails, nothing has been started. */
  static Registration register(EngineContext engine) {
    long before = engine.clock().nanoTime();
    ExecutorInfo.Identity identity = ExecutorIdentityFactory.of(engine);
    Store.ReservedAccess reservedAccess = engine.store().reserve();
    try {
      return new Registration(
          reservedAccess.executors().register(identity, engine.settings().leasing().ttl()),
          identity.definitionIds(),
          before,
          reservedAccess);
    } catch (Throwable e) {
      reservedAccess.release().run();
      throw e;
    }
  }

  Heartbeat(
      EngineContext engine,
      Registration registration,
      ExecutorLease lease,
      PollRequests polls,
      StopRequest stopRequest,
      InstanceProcessor processor,
      Reconciler reconciler) {
    this.engine = engine;
    this.lease = lease;
    this.polls = polls;
    this.stopRequest = stopRequest;
    this.processor = processor;
    this.reconciler = reconciler;
    this.reservedAccess = registration.reserved();
    this.executors = reservedAccess.executors();
    this.warnings = new IntervalThrottle(engine.clock(), Duration.ofSeconds(10));
    this.begunNanos = registration.nanos();
    this.storedDefinitions = registration.definitionIds();
    this.loop = engine.runtime().runner().loop("millrace-heartbeat", this::beat);
  }

  /** Lets {@code complete} carry out the orders of operators to drain. */
  void drainWith(ExecutorShutdown complete) {
    shutdown = complete;
  }

  /**
   * Marks the executor as ready for work, and sends that with an immediate heartbeat.
   *
   * @return the time since registration; null if it has been ready before
   */
  @Nullable Duration ready(boolean isWarm) {
    boolean first = setup == null;
    Duration took = Duration.ofNanos(engine.clock().nanoTime() - begunNanos);
    if (first) {
      setup = took;
    }
    warm |= isWarm;
    toldReady = false;
    loop.wake();
    return first ? took : null;
  }

  private Duration beat() {
    long before = engine.clock().nanoTime();
    try {
      ExecutorStore.Renewal renewal = renew();
      lease.renewed(before);
      renewedAfterFailure();
      learn(renewal);
    } catch (StoreException e) {
      return missed(e);
    }
    long executorId = lease.executorId();
    storeDefinitions(executorId);
    reportReady(executorId);
    reportLoopFailures(executorId);
    reportStop(executorId);
    boolean reconciled = tryTo("reconcile", () -> reconciler.reconcile(executorId));
    return reconciled ? engine.settings().leasing().renewEvery() : RETRY_AFTER;
  }

  private void storeDefinitions(long executorId) {
    List<Integer> definitions = engine.definitions().ids();
    if (!definitions.equals(storedDefinitions)
        && tryTo(
            "update its definitions", () -> executors.updateDefinitions(executorId, definitions))) {
      storedDefinitions = definitions;
    }
  }

  private void reportReady(long executorId) {
    Duration took = setup;
    if (took != null && !toldReady) {
      // Set before the report: if the executor becomes warm meanwhile, that is reported again.
      toldReady = true;
      boolean isWarm = warm;
      if (!tryTo("tell that it is ready", () -> executors.markReady(executorId, isWarm, took))) {
        toldReady = false;
      }
    }
  }

  private void reportStop(long executorId) {
    StopReason stopReason = stopRequest.reason();
    if (stopReason != null && lease.state() != ExecutorState.DRAINING) {
      tryTo(
          "tell that it stops",
          () -> executors.recordStopping(executorId, stopReason, stopRequest.timeLeft(), ITSELF));
    }
  }

  private void reportLoopFailures(long executorId) {
    String failures = LoopFailureReport.of(engine.runtime().process().loopFailures());
    if (!failures.equals(reportedFailures)
        && tryTo(
            "report its failed loops", () -> executors.reportLoopFailures(executorId, failures))) {
      reportedFailures = failures;
    }
  }

  /**
   * Does a part of the heartbeat beside the renewal. If it fails, logs that by its name and returns
   * false; the lease may continue.
   */
  private boolean tryTo(String what, Runnable work) {
    try {
      work.run();
      return true;
    } catch (StoreException e) {
      if (warnings.permits()) {
        LOG.warn("Executor {} could not {}: {}", lease.executorId(), what, e.getMessage());
      }
      return false;
    }
  }

  private void learn(ExecutorStore.Renewal renewal) {
    ExecutorState before = lease.state();
    ExecutorState now = renewal.state();
    lease.state(now);
    if (now != before) {
      LOG.info("Executor {} was {} and is {} now", lease.executorId(), before, now);
    }
    if (before == ExecutorState.CORDONED && now.acceptsWork()) {
      polls.pollEverywhere();
    }
    ExecutorStore.PendingDrain drain = renewal.drain();
    ExecutorShutdown complete = shutdown;
    if (drain != null && complete != null) {
      complete.drain(drain);
    }
  }

  private ExecutorStore.Renewal renew() {
    ExecutorStore.Renewal renewal =
        executors.renew(lease.executorId(), engine.settings().leasing().ttl(), processor.load());
    if (!renewal.found()) {
      long lost = lease.executorId();
      processor.dropSaves(lost);
      lease.replaced(
          executors.register(
              ExecutorIdentityFactory.of(engine), engine.settings().leasing().ttl()));
      toldReady = false;
      reportedFailures = "";
      LOG.warn(
          "The row of executor {} is gone or belongs to another process, as after a restore of the"
              + " database; its leases are dropped, and this process continues as executor {}",
          lost,
          lease.executorId());
    }
    return renewal;
  }

  private void renewedAfterFailure() {
    if (failing) {
      failing = false;
      LOG.info("Executor {} renewed its lease again", lease.executorId());
      polls.pollEverywhere();
    }
  }

  private Duration missed(StoreException e) {
    failing = true;
    if (warnings.permits()) {
      LOG.warn("Executor {} could not renew its lease: {}", lease.executorId(), e.getMessage());
    }
    return RETRY_AFTER;
  }

  /** Stops the renewal, releases what the executor still owns, and records its stop. */
  void stop(Duration patience) {
    EndSteps.run(
        () -> loop.stop(patience),
        () -> releaseAll(lease.executorId()),
        () -> signOff(lease.executorId()),
        reservedAccess.release());
  }

  private void releaseAll(long executorId) {
    for (int tries = 1; tries <= RELEASE_TRIES; tries++) {
      if (tryTo("release what it owns", () -> reconciler.releaseAll(executorId))) {
        break;
      }
    }
  }

  private void signOff(long executorId) {
    if (!tryTo("record its stop", () -> executors.markStopped(executorId))) {
      LOG.warn("The lease of executor {} will run out instead", executorId);
    }
  }
}
