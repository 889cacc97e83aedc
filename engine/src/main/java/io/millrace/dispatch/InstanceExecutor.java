package io.millrace.dispatch;

import io.millrace.definition.AttemptInterceptor;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.instance.StopReason;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EndSteps;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.EngineState;
import io.millrace.store.ChannelClaimOutcome;
import io.millrace.store.HintChannel;
import io.millrace.store.NewInstance;
import io.millrace.store.RetentionSweep;
import io.millrace.store.StartResult;
import io.millrace.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The executor of an engine: creates, starts and stops the parts that claim instances ({@link
 * Dispatcher}), run them ({@link InstanceProcessor}) and keep the lease ({@link Heartbeat}).
 * Thread-safe.
 */
public final class InstanceExecutor {

  private static final Logger LOG = LoggerFactory.getLogger(InstanceExecutor.class);

  private final EngineContext engine;
  private final CompletionWaiters waiters;
  private final LeasedInstances leasedInstances;
  private final ExecutorLease lease;
  private final PollRequests polls;
  private final StopRequest stopRequest;
  private final InstanceProcessor processor;
  private final InstanceStarter starter;
  private final ServedGroupCheck servedGroup;

  /** Null in an engine that runs no instances, like {@link #shutdown}. */
  private final @Nullable Heartbeat heartbeat;

  private final @Nullable ChannelClaims channelClaims;
  private final @Nullable ExecutorShutdown shutdown;
  private volatile boolean closed;

  /** The configuration of an executor. */
  public record Config(
      Store store,
      EngineRuntime runtime,
      EngineSettings settings,
      DefinitionRegistry definitions,
      ValueSerializer values,
      List<EngineListener> listeners,
      List<AttemptInterceptor> interceptors,
      Features features) {}

  /**
   * The additions of features to the loops of an executor.
   *
   * @param sweeps in the loop for retention, after those of instances
   * @param afterRecovery in the loop that recovers instances, after these
   */
  public record Features(List<RetentionSweep> sweeps, List<Runnable> afterRecovery) {}

  /** Starts an executor. If a part of it cannot be created, nothing of it is left. */
  public static InstanceExecutor start(Config config, NewInstanceFactory instanceFactory) {
    CompletionWaiters waiters = new CompletionWaiters(config.runtime());
    List<EngineListener> listeners = new ArrayList<>(config.listeners());
    listeners.add(waiters);
    EngineRuntime runtime = config.runtime();
    StartUndo undo = new StartUndo(runtime.runner());
    EngineContext engine =
        new EngineContext(
            config.store(),
            new EngineRuntime(runtime.clock(), undo, runtime.random(), runtime.process()),
            config.settings(),
            config.definitions(),
            config.values(),
            new EngineEventPublisher(listeners),
            config.interceptors());
    try {
      InstanceExecutor executor =
          new InstanceExecutor(engine, instanceFactory, waiters, config.features(), undo);
      undo.started();
      return executor;
    } catch (Throwable e) {
      undo.takeBack(e);
      throw e;
    }
  }

  /** Creates the parts in the order in which they need each other, and the loops last. */
  private InstanceExecutor(
      EngineContext engine,
      NewInstanceFactory instanceFactory,
      CompletionWaiters waiters,
      Features features,
      StartUndo undo) {
    this.engine = engine;
    this.waiters = waiters;
    OrphanedHandlers orphanedHandlers =
        new OrphanedHandlers(engine.clock(), engine.settings().leasing().takeOverMargin());
    this.leasedInstances = new LeasedInstances(orphanedHandlers);
    PendingClaims pendingClaims = new PendingClaims();
    Heartbeat.Registration registration =
        engine.settings().runsInstances() ? Heartbeat.register(engine) : null;
    this.lease =
        registration == null
            ? ExecutorLease.none(engine.clock())
            : new ExecutorLease(
                engine.clock(),
                engine.settings().leasing().lostAfter(),
                registration.executorId(),
                registration.nanos());
    if (registration != null) {
      undo.add(() -> registration.undo(lease));
    }
    this.polls = new PollRequests(engine);
    this.stopRequest = new StopRequest(engine, leasedInstances);
    this.processor =
        new InstanceProcessor(
            engine, lease, polls, stopRequest, leasedInstances, orphanedHandlers, instanceFactory);
    this.starter = new InstanceStarter(engine, lease, polls, processor, pendingClaims);
    this.servedGroup = new ServedGroupCheck(engine);
    if (registration == null) {
      this.heartbeat = null;
      this.channelClaims = null;
      this.shutdown = null;
      LOG.info(
          "Engine of group '{}' has started; it runs no instances",
          engine.settings().executorGroup());
      return;
    }
    Reconciler reconciler =
        new Reconciler(
            registration.reserved().instances(),
            registration.reserved().executors(),
            leasedInstances,
            pendingClaims,
            processor);
    this.heartbeat =
        new Heartbeat(engine, registration, lease, polls, stopRequest, processor, reconciler);
    HintChannel.Subscription hints =
        engine.store().hints().subscribe(engine.settings().executorGroup(), polls::poll);
    undo.add(hints::close);
    Dispatcher dispatcher = new Dispatcher(engine, lease, polls, processor, pendingClaims);
    RecoveryLoop recovery = new RecoveryLoop(engine, lease, polls, features.afterRecovery());
    this.channelClaims =
        engine.settings().dispatching().channelPatience().isZero()
            ? null
            : new ChannelClaims(engine, lease, processor, pendingClaims);
    ExecutorLoops loops =
        new ExecutorLoops(
            heartbeat,
            dispatcher,
            recovery,
            channelClaims,
            new HandlerWatch(engine, lease, leasedInstances, processor),
            new RetentionCleaner(engine, features.sweeps()),
            hints);
    this.shutdown =
        new ExecutorShutdown(
            engine, lease, stopRequest, leasedInstances, pendingClaims, processor, loops);
    heartbeat.drainWith(shutdown);
    reportStart();
  }

  private void reportStart() {
    long executorId = lease.executorId();
    String group = engine.settings().executorGroup();
    engine.events().started(new DefaultEngineView(engine, lease, leasedInstances, processor));
    engine.events().send(new EngineEvent.ExecutorStarted(executorId, group));
    LOG.info(
        "Executor {} of group '{}' has registered, with {} definitions, {} handlers at a time",
        executorId,
        group,
        engine.definitions().ids().size(),
        engine.settings().dispatching().concurrency());
  }

  /** Starts to claim work. */
  public void open() {
    if (runsInstances()) {
      lease.open();
      polls.poll();
    }
  }

  /**
   * Marks the executor as ready from its next heartbeat on, which follows at once. Called again
   * when the executor has become warm.
   */
  public void ready(boolean warm) {
    if (heartbeat != null) {
      Duration setup = heartbeat.ready(warm);
      if (setup != null) {
        engine.events().send(new EngineEvent.ExecutorReady(lease.executorId(), warm, setup));
      }
    }
  }

  /** Returns the id of this engine's executor, or null if it runs no instances. */
  public @Nullable Long executorId() {
    return runsInstances() ? lease.executorId() : null;
  }

  private boolean runsInstances() {
    return heartbeat != null;
  }

  public List<StartResult> start(List<NewInstance> instances) {
    List<StartResult> results = starter.start(instances);
    checkServed();
    return results;
  }

  /** Logs a warning if this engine runs no instances and no executor serves its group. */
  public void checkServed() {
    if (!runsInstances()) {
      servedGroup.check();
    }
  }

  /**
   * Waits for an instance's end, {@code limit} or {@code closed}; returns {@code reader}'s result.
   */
  public WorkflowInstance await(
      long instanceId, Duration limit, Supplier<WorkflowInstance> reader, BooleanSupplier closed) {
    ReentrancyGuard.check("await()", "listener");
    return waiters.await(instanceId, limit, reader, closed);
  }

  /** Wakes all callers of {@link #await}, which check whether the engine is closed. */
  public void wakeWaiters() {
    waiters.wakeAll();
  }

  /**
   * Claims an instance for which a channel message came.
   *
   * @param seq of the transition or start that the message names
   * @throws io.millrace.store.StoreException if the database does not answer
   */
  public ChannelClaimOutcome claim(long instanceId, int seq) {
    return channelClaims == null
        ? ChannelClaimOutcome.NO_CAPACITY
        : channelClaims.claim(instanceId, seq);
  }

  /** Sets the listener that is called, on any thread, after messages for channels were written. */
  public void onMessage(Runnable listener) {
    engine.events().onMessage(listener);
  }

  /** Sets the work that is done after the last claim, while handlers end. */
  public void beforeStop(Consumer<StopReason> work) {
    if (shutdown != null) {
      shutdown.beforeStop(work);
    }
  }

  /** Sets the listener that is called when the executor has stopped on an order to drain. */
  public void onStopped(Consumer<StopReason> listener) {
    if (shutdown != null) {
      shutdown.onStopped(listener);
    }
  }

  /**
   * Adds a definition whose instances this engine runs from now on.
   *
   * @return false if a definition of this type and version exists already, which stays
   */
  public boolean define(WorkflowDefinition definition) {
    boolean added = engine.definitions().add(definition);
    if (added) {
      polls.poll();
    }
    return added;
  }

  /** Makes this executor and all others of its group look for due instances now. */
  public void pollEverywhere() {
    checkServed();
    polls.pollEverywhere();
  }

  /** Drops an instance that an operator has changed, and cancels its handler. */
  public void dropChanged(long instanceId, String why) {
    LeasedInstance leased = leasedInstances.get(instanceId);
    if (leased != null) {
      processor.dropChanged(leased, why);
    }
  }

  public EngineState state() {
    return closed ? EngineState.CLOSED : stopRequest.state();
  }

  /** Returns why the executor stops; empty while it does not. */
  public Optional<StopReason> stopReason() {
    return Optional.ofNullable(stopRequest.reason());
  }

  public boolean acceptsWork() {
    return state() == EngineState.RUNNING && (!runsInstances() || lease.acceptsWork());
  }

  /** Returns true while no other executor can have recovered the instances of this one. */
  public boolean isLeaseValid() {
    return lease.isValid();
  }

  /** Returns true if the handler of an instance has not started; empty if it is not held here. */
  public Optional<Boolean> isQueued(long instanceId) {
    return Optional.ofNullable(leasedInstances.get(instanceId))
        .map(leased -> leased.phase() == LeasedInstance.Phase.QUEUED);
  }

  /** Returns the number of leased instances. */
  public int leasedCount() {
    return leasedInstances.size();
  }

  /**
   * Stops its work in good order: claims nothing more, releases instances whose handler has not
   * started, lets handlers finish, saves their results, and sends heartbeats until the last of
   * them. Instances can still be started.
   *
   * @param grace how long handlers may go on before they are cancelled
   */
  public void drain(Duration grace) {
    if (shutdown != null) {
      uninterrupted(() -> shutdown.stop(StopReason.SHUTDOWN, grace));
    }
  }

  /**
   * Stops as {@link #drain} does, and then everything else.
   *
   * @param grace how long handlers may go on before they are cancelled
   */
  public void stop(Duration grace) {
    uninterrupted(() -> EndSteps.run(() -> drain(grace), this::stopServices, () -> closed = true));
  }

  private static void uninterrupted(Runnable work) {
    boolean interrupted = Thread.interrupted();
    try {
      work.run();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Throws if a stop would wait for the calling thread itself. */
  public static void checkStop() {
    ReentrancyGuard.check("close()", "handler");
    ReentrancyGuard.check("close()", "listener");
  }

  private void stopServices() {
    StopDeadline deadline =
        StopDeadline.after(
            engine.clock(), shutdown == null ? ExecutorShutdown.LAST : shutdown.timeLeft());
    EndSteps.run(() -> starter.stop(deadline.left()), () -> processor.stop(deadline));
  }
}
