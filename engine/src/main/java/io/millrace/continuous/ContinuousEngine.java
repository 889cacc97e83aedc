package io.millrace.continuous;

import io.millrace.codec.Codec;
import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.extension.EngineServices;
import io.millrace.instance.InstanceStatus;
import io.millrace.lifecycle.EndSteps;
import io.millrace.store.AuditStore;
import io.millrace.store.ContinuousStore;
import io.millrace.store.HintChannel;
import io.millrace.store.RetentionSweep;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The part of an engine for continuous workflows, one for each of its executors: the triggers on
 * that executor, and the supervisor that keeps them running. Thread-safe.
 */
public final class ContinuousEngine implements EngineListener {

  /** Number of log entries kept of each workflow. */
  private static final int LOG_KEPT = 1_000;

  private final EngineServices services;
  private final ContinuousWorkflowCatalog catalog;
  private final ExecutionEndTracker tracker = new ExecutionEndTracker();
  private final TriggerScheduler triggers;
  private final ContinuousSupervisor continuousSupervisor;
  private final ContinuousWorkflowService workflows;
  private final ContinuousSupervisor.LocalState localState;
  private final Lock changing = new ReentrantLock();
  private boolean started;
  private boolean stopped;
  private volatile HintChannel.@Nullable Subscription hints;

  /** The roles of the store that continuous workflows need. */
  public record Stores(ContinuousStore continuous, AuditStore audit) {}

  /**
   * The configuration of the continuous workflows of an engine. Two workflows with one name are
   * rejected with an {@link io.millrace.instance.InvalidRequestException}.
   */
  public record Config(ContinuousSettings settings, List<ContinuousWorkflow> workflows) {
    public Config {
      ContinuousWorkflowCatalog.check(workflows);
      workflows = List.copyOf(workflows);
    }
  }

  /** Creates the parts. Nothing runs before {@link #start}. */
  public ContinuousEngine(Stores stores, Config config, Codec codec, EngineServices services) {
    ContinuousStore store = stores.continuous;
    this.services = services;
    this.catalog = new ContinuousWorkflowCatalog(config.workflows, config.settings);
    TriggerPoller triggerPoller = new TriggerPoller(store, services, codec, tracker, new Telling());
    this.triggers =
        new TriggerScheduler(
            services, store, config.settings, triggerPoller::open, triggerPoller::ask);
    TriggerRunRegistry runs = new TriggerRunRegistry(tracker);
    OwnershipReconciler reconciler =
        new OwnershipReconciler(store, catalog, services, runs, triggers);
    ContinuousSupervisor.LocalState localState =
        new ContinuousSupervisor.LocalState(
            runs, triggers, reconciler, new TriggerFailureReporter(store, services, runs), tracker);
    this.continuousSupervisor =
        new ContinuousSupervisor(store, catalog, services, config.settings, codec, localState);
    this.localState = localState;
    this.workflows =
        new ContinuousWorkflowService(
            stores, catalog, services, codec, continuousSupervisor::pollNow);
  }

  /** Returns the clean-ups of logs and of removed workflows. */
  public static List<RetentionSweep> sweeps(ContinuousStore store) {
    return List.of(
        RetentionSweep.of(
            "removal of continuous workflows in parts", 1, limit -> store.resumeRemovals()),
        RetentionSweep.of(
            "deletion of log entries of continuous workflows",
            RetentionSweep.BATCH,
            limit -> store.trimLog(LOG_KEPT, limit)));
  }

  /** Returns the workflows of all nodes. */
  public ContinuousWorkflowService workflows() {
    return workflows;
  }

  /**
   * Starts to run the workflows; does nothing without a workflow, or after {@link #stop}, as when
   * the executor was drained before.
   */
  public void start() {
    changing.lock();
    try {
      if (!catalog.isEmpty() && !stopped) {
        started = true;
        triggers.start();
        continuousSupervisor.start();
        hints = services.onHint(continuousSupervisor::pollSoon);
      }
    } finally {
      changing.unlock();
    }
  }

  /**
   * Goes on with the workflow of an execution that has ended here, or was left to an operator, and
   * closes all triggers when the lease could not be renewed in time.
   */
  @Override
  public void onEvent(EngineEvent event) {
    if (hints == null) {
      return;
    }
    if (event instanceof EngineEvent.TransitionSaved saved && isOver(saved.transition().status())) {
      if (catalog.hasType(saved.type()) && tracker.ended(saved.instanceId())) {
        continuousSupervisor.acknowledgeSoon();
      }
    } else if (event instanceof EngineEvent.LeaseLost) {
      continuousSupervisor.leaseLost();
    }
  }

  private static boolean isOver(InstanceStatus status) {
    return status.isTerminal() || status == InstanceStatus.MANUAL;
  }

  /**
   * Closes all triggers and releases the workflows for other nodes, once. Running executions go on.
   * A second caller does not wait for the first.
   */
  public void stop(Duration patience) {
    if (isFirstStop()) {
      EndSteps.run(
          this::closeHints,
          () -> continuousSupervisor.stop(patience),
          () -> triggers.stop(patience));
    }
  }

  /** Returns true for the first stop of what was started, perhaps in part. */
  private boolean isFirstStop() {
    changing.lock();
    try {
      boolean first = started && !stopped;
      stopped = true;
      return first;
    } finally {
      changing.unlock();
    }
  }

  private void closeHints() {
    HintChannel.Subscription present = hints;
    if (present != null) {
      present.close();
    }
  }

  private final class Telling implements TriggerPoller.Callbacks {
    @Override
    public boolean mayFire() {
      return continuousSupervisor.mayFire();
    }

    @Override
    public void failed(TriggerRun run, Throwable fault) {
      localState.failures().add(run, fault);
      continuousSupervisor.pollNow();
    }

    @Override
    public void doubtful(TriggerRun run) {
      localState.ownership().markDoubtful(run);
    }

    @Override
    public void unconfirmedFire(TriggerRun run) {
      localState.ownership().releaseUnconfirmed(run);
      continuousSupervisor.compareForAWhile();
    }

    @Override
    public void pauses(TriggerRun run, PollResult.WaitFor waitFor) {
      triggers.pause(run, waitFor.waitFor());
    }

    @Override
    public void ended() {
      continuousSupervisor.acknowledgeSoon();
    }
  }
}
