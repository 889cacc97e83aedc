package io.millrace.dispatch;

import io.millrace.instance.DrainRequest;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.ExecutorState;
import io.millrace.lifecycle.IntervalThrottle;
import io.millrace.lifecycle.Loop;
import io.millrace.store.ExecutorStore;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heartbeat, which renews this executor's lease on a thread of its own, in database time. The
 * end of the lease is judged by the monotonic time before the last successful renewal was sent, so
 * that this node drops its instances before another executor may recover them.
 */
final class LeaseKeeper {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
  private static final int RELEASE_TRIES = 2;
  private static final String ITSELF = "its own process";
  private static final Duration RETRY_AFTER = Duration.ofMillis(250);

  private final EngineContext engine;
  private final Reconciler reconciler;
  private final Hooks hooks;
  private final Store.ReservedAccess reservedAccess;
  private final ExecutorStore executors;
  private final IntervalThrottle warnings;
  private final long giveUpNanos;
  private final AtomicLong renewedNanos;
  private volatile long unbrokenSince;
  private volatile long executorId;
  private volatile boolean failing;
  private volatile ExecutorState state = ExecutorState.ACTIVE;
  private final long begunNanos;
  private volatile @Nullable Duration setup;
  private volatile boolean open;
  private volatile boolean warm;
  private volatile boolean toldReady;
  private List<Integer> storedDefinitions;
  private String reportedFailures = "";
  private final Loop loop;

  /** The data that the heartbeat sends, and the receivers of what it learns. */
  interface Hooks {
    ExecutorInfo.Load load();

    /** Called at the first renewal after a failed one. */
    void renewedAgain();

    /** Called when the executor may claim new work again. */
    void uncordoned();

    /** Called at every heartbeat while the request stands. */
    void drainRequested(ExecutorStore.DrainOrder order);

    /** Returns the current state of a started stop; null for none. */
    @Nullable DrainRequest stopping();
  }

  /** A registered executor, and the monotonic time before it was registered. */
  record Registration(
      long executorId, List<Integer> definitionIds, long nanos, Store.ReservedAccess reserved) {}

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

  LeaseKeeper(EngineContext engine, Registration registration, Reconciler reconciler, Hooks hooks) {
    this.engine = engine;
    this.reconciler = reconciler;
    this.hooks = hooks;
    this.reservedAccess = registration.reserved();
    this.executors = reservedAccess.executors();
    this.warnings = new IntervalThrottle(engine.clock(), Duration.ofSeconds(10));
    this.giveUpNanos = engine.settings().leasing().giveUpAfter().toNanos();
    this.renewedNanos = new AtomicLong(registration.nanos());
    this.unbrokenSince = registration.nanos();
    this.begunNanos = registration.nanos();
    this.executorId = registration.executorId();
    this.storedDefinitions = registration.definitionIds();
    this.loop = engine.runtime().runner().loop("millrace-heartbeat", this::tick);
  }

  long executorId() {
    return executorId;
  }

  /** Allows claims of new work from now on. */
  void open() {
    open = true;
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

  /** Returns true while no other executor can have recovered the instances of this one. */
  boolean isLeaseValid() {
    return ageNanos() < giveUpNanos;
  }

  /** Returns true while this executor may claim: its lease is valid and it accepts work. */
  boolean canClaim() {
    return isLeaseValid() && acceptsWork();
  }

  /** Returns true if the executor is open and not cordoned or draining. */
  boolean acceptsWork() {
    return open && state.acceptsWork();
  }

  /** Returns the state in this executor's row at the last heartbeat. */
  ExecutorState state() {
    return state;
  }

  /** Returns when the last successful renewal was sent; distinct for each renewal. */
  long renewedNanos() {
    return renewedNanos.get();
  }

  /** Returns the time since the last successful renewal was sent. */
  Duration leaseAge() {
    return Duration.ofNanos(ageNanos());
  }

  private long ageNanos() {
    return engine.clock().nanoTime() - renewedNanos.get();
  }

  /**
   * Returns true if the lease runs and has done so without a gap since {@code nanos}: what this
   * executor held then and has not released it still holds.
   */
  boolean isLeaseValidSince(long nanos) {
    return isLeaseValid() && nanos - unbrokenSince >= 0;
  }

  private Duration tick() {
    long before = engine.clock().nanoTime();
    try {
      ExecutorStore.Renewal renewal = renew();
      if (!isLeaseValid()) {
        unbrokenSince = engine.clock().nanoTime();
      }
      renewedNanos.set(before);
      recovered();
      learn(renewal);
    } catch (StoreException e) {
      return missed(e);
    }
    List<Integer> definitions = engine.definitions().ids();
    if (!definitions.equals(storedDefinitions)
        && isDone(
            "update its definitions", () -> executors.updateDefinitions(executorId, definitions))) {
      storedDefinitions = definitions;
    }
    Duration took = setup;
    if (took != null && !toldReady) {
      // Set before the report: if the executor becomes warm meanwhile, that is reported again.
      toldReady = true;
      boolean isWarm = warm;
      toldReady &=
          isDone("tell that it is ready", () -> executors.markReady(executorId, isWarm, took));
    }
    reportLoopFailures();
    DrainRequest stopping = hooks.stopping();
    if (stopping != null && state != ExecutorState.DRAINING) {
      isDone("tell that it stops", () -> executors.recordStopping(executorId, stopping, ITSELF));
    }
    boolean done = isDone("reconcile", () -> reconciler.reconcile(executorId));
    return done ? engine.settings().leasing().renewEvery() : RETRY_AFTER;
  }

  private void reportLoopFailures() {
    String failures = LoopFailureReport.of(engine.runtime().process().loopFailures());
    if (!failures.equals(reportedFailures)
        && isDone(
            "report its failed loops", () -> executors.reportLoopFailures(executorId, failures))) {
      reportedFailures = failures;
    }
  }

  /** Runs a task beside the renewal and reports its failure by name; the lease may continue. */
  private boolean isDone(String what, Runnable work) {
    try {
      work.run();
      return true;
    } catch (StoreException e) {
      if (warnings.permits()) {
        LOG.warn("Executor {} could not {}: {}", executorId, what, e.getMessage());
      }
      return false;
    }
  }

  private void learn(ExecutorStore.Renewal renewal) {
    ExecutorState before = state;
    state = renewal.state();
    if (state != before) {
      LOG.info("Executor {} was {} and is {} now", executorId, before, state);
    }
    if (before == ExecutorState.CORDONED && state.acceptsWork()) {
      hooks.uncordoned();
    }
    ExecutorStore.DrainOrder order = renewal.drain();
    if (order != null) {
      hooks.drainRequested(order);
    }
  }

  private ExecutorStore.Renewal renew() {
    ExecutorStore.Renewal renewal =
        executors.renew(executorId, engine.settings().leasing().ttl(), hooks.load());
    if (!renewal.found()) {
      long lost = executorId;
      reconciler.refuseSaves(lost);
      executorId =
          executors.register(ExecutorIdentityFactory.of(engine), engine.settings().leasing().ttl());
      unbrokenSince = engine.clock().nanoTime();
      toldReady = false;
      reportedFailures = "";
      LOG.warn(
          "The row of executor {} is gone or belongs to another process, as after a restore of the"
              + " database; its leases are dropped, and this process continues as executor {}",
          lost,
          executorId);
    }
    return renewal;
  }

  private void recovered() {
    if (failing) {
      failing = false;
      LOG.info("Executor {} renewed its lease again", executorId);
      hooks.renewedAgain();
    }
  }

  private Duration missed(StoreException e) {
    failing = true;
    if (warnings.permits()) {
      LOG.warn("Executor {} could not renew its lease: {}", executorId, e.getMessage());
    }
    return RETRY_AFTER;
  }

  /** Stops the renewal and records that this executor holds nothing any more. */
  void stop(Duration patience) {
    loop.stop(patience);
    for (int tries = 1; tries <= RELEASE_TRIES; tries++) {
      if (isDone("release what it owns", () -> reconciler.releaseAll(executorId))) {
        break;
      }
    }
    if (!isDone("sign off", () -> executors.markStopped(executorId))) {
      LOG.warn("The lease of executor {} will run out instead", executorId);
    }
    reservedAccess.release().run();
  }
}
