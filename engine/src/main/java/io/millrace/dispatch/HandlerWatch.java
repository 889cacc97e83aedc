package io.millrace.dispatch;

import io.millrace.definition.State;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.lifecycle.Loop;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch on what this executor runs: drops it when the lease was not renewed in time, ends
 * attempts over their timeout, and reports stuck handlers.
 */
final class HandlerWatch {

  private static final Logger LOG = LoggerFactory.getLogger(HandlerWatch.class);
  private static final Duration BUSY_PAUSE = Duration.ofMillis(250);
  private static final Duration MIN_PAUSE = Duration.ofMillis(20);

  /** Time that a handler has to end after its timeout. */
  private static final Duration GRACE = Duration.ofMillis(750);

  private final EngineContext engine;
  private final ExecutorLease lease;
  private final LeasedInstances leasedInstances;
  private final InstanceProcessor processor;
  private final Map<RunningHandler, Long> nextReport = new WeakHashMap<>();
  private final HandlerStartMonitor starts;
  private final Duration idlePause;
  private final Loop loop;
  private boolean leaseLost;
  private long lostRenewal;

  HandlerWatch(
      EngineContext engine,
      ExecutorLease lease,
      LeasedInstances leasedInstances,
      InstanceProcessor processor) {
    this.engine = engine;
    this.lease = lease;
    this.leasedInstances = leasedInstances;
    this.processor = processor;
    this.starts = new HandlerStartMonitor(engine, leasedInstances, processor);
    this.idlePause = idlePause(engine);
    this.loop = engine.runtime().runner().loop("millrace-watch", this::tick);
  }

  boolean stop(Duration patience) {
    return loop.stop(patience);
  }

  private Duration tick() {
    checkLease();
    long now = engine.clock().nanoTime();
    for (LeasedInstance leased : leasedInstances.all()) {
      LeasedInstance.Attempt attempt = leased.attempt();
      if (leased.phase() == LeasedInstance.Phase.RUNNING && attempt != null) {
        Duration running = Duration.ofNanos(now - attempt.startedNanos());
        checkTimeout(leased, attempt, running);
      }
    }
    processor.handlers().forEach(handler -> checkStuck(handler, now));
    processor.queue().startWaiting();
    starts.check(now);
    return leasedInstances.size() == 0 || idlePause.compareTo(BUSY_PAUSE) < 0
        ? idlePause
        : BUSY_PAUSE;
  }

  /** Returns a pause short enough for a handler that starts during it. */
  private static Duration idlePause(EngineContext engine) {
    Duration pause = engine.settings().leasing().lostAfter().dividedBy(8);
    pause = shorter(pause, engine.settings().guards().stuckAfter());
    for (WorkflowDefinition definition : engine.definitions().all()) {
      for (State state : definition.states().values()) {
        pause = shorter(pause, state.timeout());
      }
    }
    return pause.compareTo(MIN_PAUSE) < 0 ? MIN_PAUSE : pause;
  }

  private static Duration shorter(Duration one, @Nullable Duration other) {
    return other != null && other.compareTo(one) < 0 ? other : one;
  }

  /**
   * Drops instances without a valid lease. Results that wait to be saved are kept: the fence in the
   * database decides about them.
   */
  private void checkLease() {
    long renewed = lease.renewedNanos();
    if (lease.isValid() || (leaseLost && renewed == lostRenewal)) {
      return;
    }
    // A renewal with a late result may make the lease valid again between two checks.
    leaseLost = true;
    lostRenewal = renewed;
    List<LeasedInstance> unsaved =
        leasedInstances.all().stream()
            .filter(h ->
                h.phase() == LeasedInstance.Phase.RUNNING
                    || h.phase() == LeasedInstance.Phase.QUEUED)
            .toList();
    LOG.warn(
        "Executor {} could not renew its lease for {} and drops {} instances before others take"
            + " them over",
        lease.executorId(),
        engine.settings().leasing().lostAfter(),
        unsaved.size());
    unsaved.forEach(h -> processor.drop(h, "the lease could not be renewed in time"));
    engine.events().send(new EngineEvent.LeaseLost(lease.executorId(), unsaved.size()));
  }

  private void checkTimeout(
      LeasedInstance leased, LeasedInstance.Attempt attempt, Duration running) {
    Duration limit = attempt.timeout();
    if (limit == null || running.compareTo(limit) <= 0) {
      return;
    }
    leased.cancel(
        attempt, "the timeout of " + limit + " has passed", engine.store().interruptible());
    if (running.compareTo(limit.plus(GRACE)) > 0) {
      processor.timeOut(leased, attempt, limit, running);
    }
  }

  /** Checks threads, not attempts: the thread of an attempt that timed out may run on. */
  private void checkStuck(RunningHandler handler, long now) {
    Duration running = Duration.ofNanos(now - handler.runningSinceNanos());
    Duration threshold = engine.settings().guards().stuckAfter();
    if (running.compareTo(threshold) < 0 || now - nextReport.getOrDefault(handler, now) < 0) {
      return;
    }
    nextReport.put(handler, now + threshold.toNanos());
    List<StackTraceElement> where = handler.stackTrace();
    LOG.warn(
        "The handler of {} has been running for {} and may be stuck at {}",
        handler,
        running,
        where);
    LeasedInstance leased = handler.leased();
    engine
        .events()
        .send(
            new EngineEvent.HandlerStuck(
                leased.id(), leased.origin.type(), handler.state(), running, where));
  }
}
