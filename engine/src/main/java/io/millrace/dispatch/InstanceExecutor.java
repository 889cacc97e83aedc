package io.millrace.dispatch;

import io.millrace.definition.AttemptInterceptor;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.Due;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.StopReason;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.EngineState;
import io.millrace.store.ChannelClaimOutcome;
import io.millrace.store.ExecutorStore;
import io.millrace.store.HintChannel;
import io.millrace.store.NewInstance;
import io.millrace.store.StartResult;
import io.millrace.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The executor of an engine: creates, starts and stops its parts. Thread-safe. */
public final class InstanceExecutor {

  private static final Logger LOG = LoggerFactory.getLogger(InstanceExecutor.class);

  private final EngineContext engine;
  private final CompletionWaiters waiters;
  private final OrphanedHandlers orphanedHandlers;
  private final LeasedInstances leasedInstances;
  private final PendingClaims claims = new PendingClaims();
  private final Committer committer;
  private final StepJournal journal;
  private final StoreCallQueue storeCalls;
  private final ProgressWriter progress;
  private final StopSignalSource stopSignals;
  private final InstanceProcessor processor;
  private final InstanceStarter starter;
  private final ServedGroupCheck servedGroup;
  private final @Nullable ExecutorLoops loops;
  private final HintChannel.Subscription subscription;
  private final @Nullable ExecutorShutdown shutdown;
  private final Callbacks callbacks = new Callbacks();
  private volatile boolean closed;

  /** The configuration of an executor. */
  public record Config(
      Store store,
      EngineRuntime runtime,
      EngineSettings settings,
      DefinitionRegistry definitions,
      ValueSerializer values,
      List<EngineListener> listeners,
      List<AttemptInterceptor> interceptors) {}

  public static InstanceExecutor start(Config config, NewInstanceFactory instanceFactory) {
    CompletionWaiters waiters = new CompletionWaiters(config.runtime());
    List<EngineListener> listeners = new ArrayList<>(config.listeners());
    listeners.add(waiters);
    return new InstanceExecutor(
        new EngineContext(
            config.store(),
            config.runtime(),
            config.settings(),
            config.definitions(),
            config.values(),
            new EngineEventPublisher(listeners),
            config.interceptors()),
        instanceFactory,
        waiters);
  }

  private InstanceExecutor(
      EngineContext engine, NewInstanceFactory instanceFactory, CompletionWaiters waiters) {
    this.engine = engine;
    this.waiters = waiters;
    this.orphanedHandlers =
        new OrphanedHandlers(engine.clock(), engine.settings().leasing().takeOverMargin());
    this.leasedInstances = new LeasedInstances(orphanedHandlers);
    LeaseKeeper.Registration registration =
        engine.settings().autostart() ? LeaseKeeper.register(engine) : null;
    this.committer = new Committer(engine);
    this.journal = new StepJournal(engine);
    this.storeCalls = new StoreCallQueue(engine);
    this.progress = new ProgressWriter(engine);
    this.stopSignals = new StopSignalSource(engine.runtime().runner());
    this.processor =
        new InstanceProcessor(
            engine,
            leasedInstances,
            orphanedHandlers,
            committer,
            new DefaultStateContext.Services(
                journal, storeCalls, progress, stopSignals, instanceFactory),
            callbacks);
    this.starter = new InstanceStarter(engine, processor, claims, callbacks);
    this.servedGroup = new ServedGroupCheck(engine);
    this.loops = registration == null ? null : run(registration, callbacks);
    this.subscription =
        loops == null
            ? () -> {}
            : engine.store().hints().subscribe(engine.settings().executorGroup(), this::pollHere);
    this.shutdown =
        loops == null
            ? null
            : new ExecutorShutdown(
                engine, leasedInstances, claims, processor, stopSignals, parts(loops));
    callbacks.shutdown = shutdown;
    reportStart();
  }

  private ExecutorLoops run(LeaseKeeper.Registration registration, Callbacks callbacks) {
    Reconciler reconciler =
        new Reconciler(
            registration.reserved().work(),
            registration.reserved().executors()::leasedInstances,
            leasedInstances,
            claims,
            processor);
    LeaseKeeper keeper = new LeaseKeeper(engine, registration, reconciler, callbacks);
    callbacks.keeper = keeper;
    Dispatcher dispatcher = new Dispatcher(engine, keeper, processor, claims);
    callbacks.dispatcher = dispatcher;
    RecoveryLoop recoveryLoop = new RecoveryLoop(engine, keeper::executorId, dispatcher::poll);
    callbacks.channelClaims =
        engine.settings().dispatching().channelPatience().isZero()
            ? null
            : new ChannelClaims(engine, keeper, processor, claims);
    return new ExecutorLoops(
        keeper,
        recoveryLoop,
        dispatcher,
        callbacks.channelClaims,
        new StuckHandlerMonitor(engine, leasedInstances, processor, keeper),
        new RetentionCleaner(engine));
  }

  private void reportStart() {
    if (loops == null) {
      LOG.info(
          "Engine of group '{}' is ready; it runs no instances", engine.settings().executorGroup());
      return;
    }
    engine
        .events()
        .started(new DefaultEngineView(engine, leasedInstances, processor, loops.keeper()));
    engine
        .events()
        .send(
            new EngineEvent.EngineStarted(
                loops.keeper().executorId(), engine.settings().executorGroup()));
    LOG.info(
        "Engine is ready as executor {} of group '{}' with {} definitions, {} handlers at a time",
        loops.keeper().executorId(),
        engine.settings().executorGroup(),
        engine.definitions().ids().size(),
        engine.settings().dispatching().concurrency());
  }

  /** Starts to claim work. */
  public void open() {
    if (loops != null) {
      loops.keeper().open();
      loops.dispatcher().poll();
    }
  }

  /**
   * Marks the executor as ready from its next heartbeat on, which follows at once. Called again
   * when the executor has become warm.
   */
  public void ready(boolean warm) {
    if (loops != null) {
      Duration setup = loops.keeper().ready(warm);
      if (setup != null) {
        engine.events().send(new EngineEvent.EngineReady(loops.keeper().executorId(), warm, setup));
      }
    }
  }

  /** Returns the id of this engine's executor, or null if it runs no instances. */
  public @Nullable Long executorId() {
    return loops == null ? null : loops.keeper().executorId();
  }

  public List<StartResult> start(List<NewInstance> instances) {
    List<StartResult> results = starter.start(instances);
    checkServed();
    return results;
  }

  /** Logs a warning if this engine runs no instances and no executor serves its group. */
  public void checkServed() {
    if (loops == null) {
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
    ChannelClaims channelClaims = loops == null ? null : loops.channelClaims();
    return channelClaims == null
        ? ChannelClaimOutcome.NO_CAPACITY
        : channelClaims.claim(instanceId, seq);
  }

  /** Adds a listener that is called, on any thread, after messages for channels were written. */
  public void onMessage(Runnable listener) {
    callbacks.messages = listener;
  }

  /** Adds work that is done after the last claim and before the executor stops. */
  public void beforeStop(Consumer<StopReason> work) {
    callbacks.leaving = work;
  }

  /** Adds a listener that is called when the executor has stopped on request. */
  public void onStopped(Consumer<StopReason> listener) {
    callbacks.retired = listener;
  }

  /**
   * Adds a definition whose instances this engine runs from now on.
   *
   * @return false if a definition of this type and version exists already, which stays
   */
  public boolean define(WorkflowDefinition definition) {
    boolean added = engine.definitions().add(definition);
    if (added) {
      pollHere();
    }
    return added;
  }

  /** Wakes the dispatchers here and on the other nodes. */
  public void wakeAll() {
    checkServed();
    pollHere();
    engine.store().hints().publish(engine.settings().executorGroup());
  }

  /** Cancels the handler of an instance that an operator has changed. */
  public void revokeLease(long instanceId, String why) {
    LeasedInstance leased = leasedInstances.get(instanceId);
    if (leased != null) {
      processor.dropChanged(leased, why);
    }
  }

  public EngineState state() {
    if (closed) {
      return EngineState.CLOSED;
    }
    return shutdown == null ? EngineState.RUNNING : shutdown.state();
  }

  /** Returns why the executor stops; empty while it does not. */
  public Optional<StopReason> stopReason() {
    DrainRequest stop = shutdown == null ? null : shutdown.request();
    return Optional.ofNullable(stop).map(DrainRequest::reason);
  }

  public boolean acceptsWork() {
    return loops == null
        ? state() == EngineState.RUNNING
        : state() == EngineState.RUNNING && loops.keeper().acceptsWork();
  }

  /** Returns true while no other executor can have recovered the instances of this one. */
  public boolean isLeaseValid() {
    return loops != null && loops.keeper().isLeaseValid();
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

  private void pollHere() {
    if (loops != null) {
      loops.dispatcher().poll();
    }
  }

  /**
   * Stops in good order: claims nothing more, releases instances whose handler has not started,
   * lets handlers finish, saves their results, and sends heartbeats until the last of them.
   *
   * @param grace how long handlers may go on before they are cancelled
   */
  public void stop(Duration grace) {
    boolean interrupted = Thread.interrupted();
    try {
      stopAll(grace);
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

  private void stopAll(Duration grace) {
    if (shutdown != null) {
      shutdown.retire(StopReason.SHUTDOWN, grace);
    }
    StopDeadline deadline =
        StopDeadline.after(
            engine.clock(), shutdown == null ? ExecutorShutdown.LAST : shutdown.timeLeft());
    starter.stop(deadline.left());
    progress.stop(deadline.left());
    journal.stop(deadline.left());
    storeCalls.stop(deadline.left());
    committer.stop(deadline.left());
    processor.stop(deadline.left());
    closed = true;
  }

  private ExecutorShutdown.Hooks parts(ExecutorLoops parts) {
    return new ExecutorShutdown.Hooks() {
      @Override
      public void stopClaiming(Duration patience) {
        subscription.close();
        parts.stopClaiming(patience);
      }

      @Override
      public void leave(StopReason why) {
        try {
          callbacks.leaving.accept(why);
        } catch (RuntimeException e) {
          LOG.error("What this executor is to do before it leaves has failed", e);
        }
      }

      @Override
      public void signOff(StopDeadline deadline) {
        long executorId = parts.keeper().executorId();
        parts.signOff(deadline);
        engine.events().send(new EngineEvent.EngineStopped(executorId, leasedInstances.size()));
        LOG.info(
            "Executor {} has stopped; {} instances are held", executorId, leasedInstances.size());
      }
    };
  }

  /** The calls between the parts. Whatever the first claim needs is set before it. */
  private final class Callbacks
      implements InstanceProcessor.Hooks, InstanceStarter.Hooks, LeaseKeeper.Hooks {
    private volatile @Nullable LeaseKeeper keeper;
    private volatile @Nullable ExecutorShutdown shutdown;
    private volatile @Nullable Dispatcher dispatcher;
    private volatile @Nullable ChannelClaims channelClaims;
    private volatile Runnable messages = () -> {};
    private volatile Consumer<StopReason> leaving = reason -> {};
    private volatile Consumer<StopReason> retired = reason -> {};

    @Override
    public void channelMessageWritten() {
      messages.run();
    }

    @Override
    public ExecutorInfo.Load load() {
      return processor.load();
    }

    @Override
    public void renewedAgain() {
      pollEverywhere();
    }

    /** Stops on a thread of its own: the heartbeat goes on until the last handler has ended. */
    @Override
    public void drainRequested(ExecutorStore.DrainOrder order) {
      ExecutorShutdown shutdown = this.shutdown;
      if (shutdown != null && shutdown.start(order.reason(), order.left())) {
        LOG.info(
            "This executor stops within {} seconds, as {} has asked it to",
            order.left().toSeconds(),
            order.by());
        engine
            .runtime()
            .runner()
            .runOnPlatform(
                "millrace-drain",
                () -> {
                  shutdown.finish();
                  retired.accept(order.reason());
                });
      }
    }

    @Override
    public void uncordoned() {
      pollEverywhere();
    }

    @Override
    public @Nullable DrainRequest stopping() {
      ExecutorShutdown shutdown = this.shutdown;
      return shutdown == null ? null : shutdown.request();
    }

    @Override
    public boolean stillHolds(LeasedInstance leased) {
      LeaseKeeper present = keeper;
      return present != null && present.isLeaseValidSince(leased.leaseConfirmedNanos());
    }

    @Override
    public void roomChanged() {
      Dispatcher present = dispatcher;
      if (present != null) {
        present.roomChanged();
      }
      ChannelClaims waiting = channelClaims;
      if (waiting != null) {
        waiting.roomChanged();
      }
    }

    @Override
    public void pollEverywhere() {
      Dispatcher present = dispatcher;
      if (present != null) {
        present.poll();
      }
      engine.store().hints().publish(engine.settings().executorGroup());
    }

    @Override
    public void pollWithin(Duration delay) {
      Dispatcher present = dispatcher;
      if (present != null) {
        present.pollWithin(delay);
      }
    }

    @Override
    public WorkQueue.Reservation reserve(int most) {
      Dispatcher present = dispatcher;
      LeaseKeeper lease = keeper;
      boolean takes = present != null && !present.hasBacklog() && lease != null && lease.canClaim();
      return processor.queue().reserveHandlers(takes ? most : 0);
    }

    @Override
    public long executorId() {
      return Objects.requireNonNull(keeper, "an engine without keeper has no free handler")
          .executorId();
    }

    @Override
    public void inserted(Due due) {
      switch (due) {
        case Due.Now now -> pollEverywhere();
        case Due.After after -> pollWithin(after.delay());
        case Due.At at -> pollWithin(Durations.between(engine.clock().instant(), at.instant()));
        case Due.Never never -> {}
      }
    }
  }
}
