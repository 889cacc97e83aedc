package io.millrace.dispatch;

import io.millrace.definition.StepInterceptor;
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
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One engine's parts, put together, started and stopped. Thread-safe. */
public final class InstanceExecutor {

  private static final Logger LOG = LoggerFactory.getLogger(InstanceExecutor.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final EngineContext engineContext;
  private final CompletionWaiters completionWaiters;
  private final OrphanedHandlers orphanedHandlers;
  private final LeasedInstances held;
  private final PendingClaims pendingClaims = new PendingClaims();
  private final Committer committer;
  private final StepJournal journal;
  private final StoreCallQueue storeCallQueue;
  private final ProgressWriter progressWriter;
  private final StopSignalSource stopSignalSource;
  private final InstanceProcessor instanceProcessor;
  private final InstanceStarter instanceStarter;
  private final @Nullable ExecutorLoops executorLoops;
  private final HintChannel.Subscription subscription;
  private final @Nullable ExecutorShutdown executorShutdown;
  private final Callbacks callbacks = new Callbacks();
  private volatile boolean closed;

  /** The parts of an engine that runs instances, not only steers them. */
  private record ExecutorLoops(
      LeaseKeeper keeper,
      RecoveryLoop recovery,
      Dispatcher dispatcher,
      @Nullable ChannelClaims arrivals,
      StuckHandlerMonitor watch,
      RetentionCleaner cleaner) {}

  /** What an engine is made of. */
  public record Config(
      Store store,
      EngineRuntime runtime,
      EngineSettings settings,
      DefinitionRegistry definitions,
      ValueSerializer values,
      List<EngineListener> listeners,
      List<StepInterceptor> interceptors) {}

  /** Starts the engine's loops. */
  public static InstanceExecutor start(Config config, NewInstanceFactory newInstanceFactory) {
    CompletionWaiters completionWaiters = new CompletionWaiters(config.runtime());
    List<EngineListener> listeners = new ArrayList<>(config.listeners());
    listeners.add(completionWaiters);
    return new InstanceExecutor(
        new EngineContext(
            config.store(),
            config.runtime(),
            config.settings(),
            config.definitions(),
            config.values(),
            new EngineEventPublisher(listeners),
            config.interceptors()),
        newInstanceFactory,
        completionWaiters);
  }

  private InstanceExecutor(
      EngineContext engineContext,
      NewInstanceFactory newInstanceFactory,
      CompletionWaiters completionWaiters) {
    this.engineContext = engineContext;
    this.completionWaiters = completionWaiters;
    this.orphanedHandlers =
        new OrphanedHandlers(
            engineContext.clock(), engineContext.settings().leasing().takeOverMargin());
    this.held = new LeasedInstances(orphanedHandlers);
    LeaseKeeper.Registration registration =
        engineContext.settings().autostart() ? LeaseKeeper.register(engineContext) : null;
    this.committer = new Committer(engineContext);
    this.journal = new StepJournal(engineContext);
    this.storeCallQueue = new StoreCallQueue(engineContext);
    this.progressWriter = new ProgressWriter(engineContext);
    this.stopSignalSource = new StopSignalSource(engineContext.runtime().runner());
    this.instanceProcessor =
        new InstanceProcessor(
            engineContext,
            held,
            orphanedHandlers,
            committer,
            new DefaultStateContext.Services(
                journal, storeCallQueue, progressWriter, stopSignalSource, newInstanceFactory),
            callbacks);
    this.instanceStarter =
        new InstanceStarter(engineContext, instanceProcessor, pendingClaims, callbacks);
    this.executorLoops = registration == null ? null : run(registration, callbacks);
    this.subscription =
        executorLoops == null
            ? () -> {}
            : engineContext
                .store()
                .hints()
                .subscribe(engineContext.settings().executorGroup(), this::look);
    this.executorShutdown =
        executorLoops == null
            ? null
            : new ExecutorShutdown(
                engineContext,
                held,
                pendingClaims,
                instanceProcessor,
                stopSignalSource,
                parts(executorLoops));
    callbacks.executorShutdown = executorShutdown;
    announce();
  }

  private ExecutorLoops run(LeaseKeeper.Registration registration, Callbacks callbacks) {
    Reconciler reconciler =
        new Reconciler(
            registration.reserved().work(),
            registration.reserved().executors()::leasedInstances,
            held,
            pendingClaims,
            instanceProcessor);
    LeaseKeeper keeper = new LeaseKeeper(engineContext, registration, reconciler, callbacks);
    callbacks.keeper = keeper;
    Dispatcher dispatcher = new Dispatcher(engineContext, keeper, instanceProcessor, pendingClaims);
    callbacks.dispatcher = dispatcher;
    RecoveryLoop recoveryLoop =
        new RecoveryLoop(engineContext, keeper::executorId, dispatcher::poll);
    callbacks.channelClaims =
        engineContext.settings().dispatching().channelPatience().isZero()
            ? null
            : new ChannelClaims(engineContext, keeper, instanceProcessor, pendingClaims);
    return new ExecutorLoops(
        keeper,
        recoveryLoop,
        dispatcher,
        callbacks.channelClaims,
        new StuckHandlerMonitor(engineContext, held, instanceProcessor, keeper),
        new RetentionCleaner(engineContext));
  }

  private void announce() {
    if (executorLoops == null) {
      LOG.info(
          "Engine of group '{}' is ready; it runs no instances",
          engineContext.settings().executorGroup());
      return;
    }
    engineContext
        .events()
        .started(
            new DefaultEngineView(engineContext, held, instanceProcessor, executorLoops.keeper));
    engineContext
        .events()
        .send(
            new EngineEvent.EngineStarted(
                executorLoops.keeper.executorId(), engineContext.settings().executorGroup()));
    LOG.info(
        "Engine is ready as executor {} of group '{}' with {} definitions, {} handlers at a time",
        executorLoops.keeper.executorId(),
        engineContext.settings().executorGroup(),
        engineContext.definitions().ids().size(),
        engineContext.settings().dispatching().concurrency());
  }

  /** The executor takes work from now on. */
  public void open() {
    if (executorLoops != null) {
      executorLoops.keeper.open();
      executorLoops.dispatcher.poll();
    }
  }

  /**
   * All that the engine needs is there: from its next heartbeat on, which comes at once, the
   * executor counts as ready. May be called again by one that has become warm.
   */
  public void ready(boolean warm) {
    if (executorLoops != null) {
      Duration setup = executorLoops.keeper.ready(warm);
      if (setup != null) {
        engineContext
            .events()
            .send(new EngineEvent.EngineReady(executorLoops.keeper.executorId(), warm, setup));
      }
    }
  }

  /** This engine's executor; null when it runs nothing. */
  public @Nullable Long executorId() {
    return executorLoops == null ? null : executorLoops.keeper.executorId();
  }

  /** Starts instances; returns when they are durable. */
  public List<StartResult> start(List<NewInstance> instances) {
    return instanceStarter.start(instances);
  }

  /**
   * Waits for the end of an instance: the last that {@code reader} told when it ended or {@code
   * limit} has passed.
   */
  public WorkflowInstance await(
      long instanceId, Duration limit, Supplier<WorkflowInstance> reader) {
    ReentrancyGuard.check("await()", "listener");
    return completionWaiters.await(instanceId, limit, reader);
  }

  /**
   * Takes an instance that a message has told of.
   *
   * @param seq that of the transition or start which the message tells of
   * @throws io.millrace.store.StoreException when the database does not answer
   */
  public ChannelClaimOutcome claim(long instanceId, int seq) {
    ChannelClaims channelClaims = executorLoops == null ? null : executorLoops.arrivals;
    return channelClaims == null
        ? ChannelClaimOutcome.NO_CAPACITY
        : channelClaims.arrive(instanceId, seq);
  }

  /** Has {@code listener} called when messages over channels have been written, at any thread. */
  public void onMessage(Runnable listener) {
    callbacks.messages = listener;
  }

  /** Has {@code work} done when the executor claims nothing more, before it leaves. */
  public void beforeStop(Consumer<StopReason> work) {
    callbacks.leaving = work;
  }

  /** Has {@code listener} called when the executor has left because somebody asked it to. */
  public void onStopped(Consumer<StopReason> listener) {
    callbacks.retired = listener;
  }

  /**
   * Adds a definition whose instances this engine runs from now on.
   *
   * @return false when there is one of this type and version already, which stays
   */
  public boolean define(WorkflowDefinition definition) {
    boolean added = engineContext.definitions().add(definition);
    if (added) {
      look();
    }
    return added;
  }

  /** Something in the database may be due now: look here and tell the other nodes. */
  public void wakeAll() {
    look();
    engineContext.store().hints().publish(engineContext.settings().executorGroup());
  }

  /** An operator has taken the instance; a handler of it that runs here is told to stop. */
  public void revokeLease(long instanceId, String why) {
    LeasedInstance leased = held.get(instanceId);
    if (leased != null) {
      instanceProcessor.withdraw(leased, why);
    }
  }

  /** How far it is on its way to the end. */
  public EngineState state() {
    if (closed) {
      return EngineState.CLOSED;
    }
    return executorShutdown == null ? EngineState.RUNNING : executorShutdown.state();
  }

  /** Why it stops; empty while it does not. */
  public Optional<StopReason> stopReason() {
    DrainRequest stop = executorShutdown == null ? null : executorShutdown.request();
    return Optional.ofNullable(stop).map(DrainRequest::reason);
  }

  /** True while this engine takes new work. */
  public boolean acceptsWork() {
    return executorLoops == null
        ? state() == EngineState.RUNNING
        : state() == EngineState.RUNNING && executorLoops.keeper.acceptsWork();
  }

  /** True while nobody else can have taken over what this engine's executor owns. */
  public boolean isLeaseValid() {
    return executorLoops != null && executorLoops.keeper.isLeaseValid();
  }

  /** True if the handler of an instance has not started; empty if it is not held here. */
  public Optional<Boolean> isQueued(long instanceId) {
    return Optional.ofNullable(held.get(instanceId))
        .map(leased -> leased.phase() == LeasedInstance.Phase.QUEUED);
  }

  /** Instances held now. */
  public int held() {
    return held.size();
  }

  private void look() {
    if (executorLoops != null) {
      executorLoops.dispatcher.poll();
    }
  }

  /**
   * Stops in good order: claims nothing more, gives back what was not begun, lets handlers end,
   * saves their results, and beats until the last of them.
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

  /** Fails where a stop would wait for the caller itself. */
  public static void checkStop() {
    ReentrancyGuard.check("close()", "handler");
    ReentrancyGuard.check("close()", "listener");
  }

  private void stopAll(Duration grace) {
    if (executorShutdown != null) {
      executorShutdown.retire(StopReason.SHUTDOWN, grace);
    }
    instanceStarter.stop(PATIENCE);
    progressWriter.stop(PATIENCE);
    journal.stop(PATIENCE);
    storeCallQueue.stop(PATIENCE);
    committer.stop(PATIENCE);
    instanceProcessor.stop(PATIENCE);
    closed = true;
  }

  private ExecutorShutdown.Hooks parts(ExecutorLoops parts) {
    return new ExecutorShutdown.Hooks() {
      @Override
      public void stopClaiming(Duration patience) {
        subscription.close();
        parts.dispatcher.stop(patience);
        if (parts.arrivals != null) {
          parts.arrivals.stop(patience);
        }
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
      public void signOff(Duration patience) {
        InstanceExecutor.this.signOff(parts, patience);
      }
    };
  }

  private void signOff(ExecutorLoops parts, Duration patience) {
    long executorId = parts.keeper.executorId();
    parts.watch.stop(patience);
    parts.recovery.stop(patience);
    parts.cleaner.stop(patience);
    parts.keeper.stop(patience);
    engineContext.events().send(new EngineEvent.EngineStopped(executorId, held.size()));
    LOG.info("Executor {} has stopped; {} instances are held", executorId, held.size());
  }

  /**
   * What the parts tell each other. The first claim may come before all parts exist; what it needs
   * is set by then.
   */
  private final class Callbacks
      implements InstanceProcessor.Hooks, InstanceStarter.Hooks, LeaseKeeper.Hooks {
    private volatile @Nullable LeaseKeeper keeper;
    private volatile @Nullable ExecutorShutdown executorShutdown;
    private volatile @Nullable Dispatcher dispatcher;
    private volatile @Nullable ChannelClaims channelClaims;
    private volatile Runnable messages = () -> {};
    private volatile Consumer<StopReason> leaving = reason -> {};
    private volatile Consumer<StopReason> retired = reason -> {};

    @Override
    public void messageWritten() {
      messages.run();
    }

    @Override
    public ExecutorInfo.Load load() {
      return instanceProcessor.load();
    }

    @Override
    public void renewedAgain() {
      look();
    }

    /** On a thread of its own: the heartbeat goes on until the last handler has ended. */
    @Override
    public void drainRequested(ExecutorStore.DrainOrder order) {
      ExecutorShutdown present = executorShutdown;
      if (present != null && present.start(order.reason(), order.left())) {
        LOG.info(
            "This executor stops within {} seconds, as {} has asked it to",
            order.left().toSeconds(),
            order.by());
        engineContext
            .runtime()
            .runner()
            .runOnPlatform(
                "millrace-drain",
                () -> {
                  present.finish();
                  retired.accept(order.reason());
                });
      }
    }

    @Override
    public void uncordoned() {
      look();
    }

    @Override
    public @Nullable DrainRequest stopping() {
      ExecutorShutdown present = executorShutdown;
      return present == null ? null : present.request();
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
    public void look() {
      Dispatcher present = dispatcher;
      if (present != null) {
        present.poll();
      }
      engineContext.store().hints().publish(engineContext.settings().executorGroup());
    }

    @Override
    public void expect(Duration delay) {
      Dispatcher present = dispatcher;
      if (present != null) {
        present.expect(delay);
      }
    }

    @Override
    public WorkQueue.Reservation reserve(int most) {
      Dispatcher present = dispatcher;
      LeaseKeeper lease = keeper;
      boolean takes = present != null && !present.hasBacklog() && lease != null && lease.canClaim();
      return instanceProcessor.queue().reserveHandlers(takes ? most : 0);
    }

    @Override
    public long executorId() {
      return Objects.requireNonNull(keeper, "an engine without keeper has no free handler")
          .executorId();
    }

    @Override
    public void inserted(Due due) {
      switch (due) {
        case Due.Now now -> look();
        case Due.After after -> expect(after.delay());
        case Due.At at -> expect(Durations.between(engineContext.clock().instant(), at.instant()));
        case Due.Never never -> {}
      }
    }
  }
}
