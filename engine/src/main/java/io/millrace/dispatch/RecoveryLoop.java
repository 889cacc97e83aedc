package io.millrace.dispatch;

import io.millrace.event.EngineEvent;
import io.millrace.lifecycle.EndSteps;
import io.millrace.lifecycle.IntervalThrottle;
import io.millrace.lifecycle.Loop;
import io.millrace.store.ExecutorStore;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that recovers instances from executors whose lease has expired, and then does the work
 * of features that waits for no event, such as closing periods. Every executor runs it; the store
 * keeps them from interfering with each other.
 */
final class RecoveryLoop {

  private static final Logger LOG = LoggerFactory.getLogger(RecoveryLoop.class);
  private static final int PAGE = 200;

  /** Interval of the search, through all leases, for claims that were written days late. */
  private static final Duration BETWEEN_SEARCHES = Duration.ofMinutes(1);

  private final EngineContext engine;
  private final ExecutorLease lease;
  private final PollRequests polls;
  private final List<Runnable> afterRecovery;
  private final IntervalThrottle warnings;
  private final IntervalThrottle searches;
  private final Loop loop;

  /**
   * @param afterRecovery the work of features
   */
  RecoveryLoop(
      EngineContext engine, ExecutorLease lease, PollRequests polls, List<Runnable> afterRecovery) {
    this.afterRecovery = afterRecovery;
    this.engine = engine;
    this.lease = lease;
    this.polls = polls;
    this.warnings = new IntervalThrottle(engine.clock(), Duration.ofSeconds(10));
    this.searches = new IntervalThrottle(engine.clock(), BETWEEN_SEARCHES);
    this.loop = engine.runtime().runner().loop("millrace-recovery", this::tick);
  }

  boolean stop(Duration patience) {
    return loop.stop(patience);
  }

  private Duration tick() {
    try {
      ExecutorStore executors = engine.store().executors();
      String group = engine.settings().executorGroup();
      recover(executors, executors.expired(group));
      if (searches.permits()) {
        recover(executors, executors.recoveredOwners(group));
      }
      EndSteps.run(afterRecovery.toArray(Runnable[]::new));
    } catch (StoreException e) {
      if (warnings.permits()) {
        LOG.warn("Recovery was interrupted and will be repeated: {}", e.getMessage());
      }
    }
    return engine.settings().leasing().renewEvery();
  }

  private void recover(ExecutorStore executors, List<Long> dead) {
    long own = lease.executorId();
    dead.stream().filter(one -> one != own).forEach(one -> recover(executors, one));
  }

  private void recover(ExecutorStore executors, long dead) {
    int total = 0;
    List<ExecutorStore.Recovered> page;
    do {
      page =
          executors.recover(
              dead, lease.executorId(), PAGE, engine.settings().leasing().maxRecoveries());
      page.forEach(taken -> report(dead, taken));
      total += page.size();
      if (!page.isEmpty()) {
        polls.poll();
      }
    } while (page.size() == PAGE);
    if (total > 0) {
      LOG.warn("Executor {} is dead; {} of its instances were recovered", dead, total);
    }
  }

  private void report(long dead, ExecutorStore.Recovered taken) {
    engine
        .events()
        .send(new EngineEvent.InstanceRecovered(taken.instanceId(), dead, taken.parked()));
    if (taken.parked()) {
      LOG.error(
          "Instance {} was being executed each time its executor died, {} times in a row, and is parked as manual."
              + " Look at its history, then retry or cancel it",
          taken.instanceId(),
          engine.settings().leasing().maxRecoveries());
    }
  }
}
