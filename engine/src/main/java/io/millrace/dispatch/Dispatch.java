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
import io.millrace.store.Hints;
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
public final class Dispatch {

  private static final Logger LOG = LoggerFactory.getLogger(Dispatch.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Node node;
  private final Endings endings;
  private final Exits exits;
  private final HeldSet held;
  private final Acquisitions acquisitions = new Acquisitions();
  private final Committer committer;
  private final StepJournal journal;
  private final Errands errands;
  private final ProgressBoard progressBoard;
  private final StopBoard stopBoard;
  private final Worker worker;
  private final Starter starter;
  private final @Nullable Running running;
  private final Hints.Subscription subscription;
  private final @Nullable Retirement retirement;
  private final Wiring wiring = new Wiring();
  private volatile boolean closed;

  /** The parts of an engine that runs instances, not only steers them. */
  private record Running(
      LeaseKeeper keeper,
      Recovery recovery,
      Dispatcher dispatcher,
      @Nullable Arrivals arrivals,
      Watch watch,
      Cleaner cleaner) {}

  /** What an engine is made of. */
  public record Parts(
      Store store,
      EngineRuntime runtime,
      EngineSettings settings,
      Definitions definitions,
      Values values,
      List<EngineListener> listeners,
      List<StepInterceptor> interceptors) {}

  /** Starts the engine's loops. */
  public static Dispatch start(Parts parts, Starts starts) {
    Endings endings = new Endings(parts.runtime());
    List<EngineListener> listeners = new ArrayList<>(parts.listeners());
    listeners.add(endings);
    return new Dispatch(
        new Node(
            parts.store(),
            parts.runtime(),
            parts.settings(),
            parts.definitions(),
            parts.values(),
            new Events(listeners),
            parts.interceptors()),
        starts,
        endings);
  }

  private Dispatch(Node node, Starts starts, Endings endings) {
    this.node = node;
    this.endings = endings;
    this.exits = new Exits(node.clock(), node.settings().leasing().takeOverMargin());
    this.held = new HeldSet(exits);
    LeaseKeeper.Registered registered =
        node.settings().autostart() ? LeaseKeeper.register(node) : null;
    this.committer = new Committer(node);
    this.journal = new StepJournal(node);
    this.errands = new Errands(node);
    this.progressBoard = new ProgressBoard(node);
    this.stopBoard = new StopBoard(node.runtime().runner());
    this.worker =
        new Worker(
            node,
            held,
            exits,
            committer,
            new StepContext.Services(journal, errands, progressBoard, stopBoard, starts),
            wiring);
    this.starter = new Starter(node, worker, acquisitions, wiring);
    this.running = registered == null ? null : run(registered, wiring);
    this.subscription =
        running == null
            ? () -> {}
            : node.store().hints().subscribe(node.settings().executorGroup(), this::look);
    this.retirement =
        running == null
            ? null
            : new Retirement(node, held, acquisitions, worker, stopBoard, parts(running));
    wiring.retirement = retirement;
    announce();
  }

  private Running run(LeaseKeeper.Registered registered, Wiring wiring) {
    Reconciler reconciler =
        new Reconciler(
            registered.reserved().work(),
            registered.reserved().executors()::owned,
            held,
            acquisitions,
            worker);
    LeaseKeeper keeper = new LeaseKeeper(node, registered, reconciler, wiring);
    wiring.keeper = keeper;
    Dispatcher dispatcher = new Dispatcher(node, keeper, worker, acquisitions);
    wiring.dispatcher = dispatcher;
    Recovery recovery = new Recovery(node, keeper::executorId, dispatcher::look);
    wiring.arrivals =
        node.settings().dispatching().channelPatience().isZero()
            ? null
            : new Arrivals(node, keeper, worker, acquisitions);
    return new Running(
        keeper,
        recovery,
        dispatcher,
        wiring.arrivals,
        new Watch(node, held, worker, keeper),
        new Cleaner(node));
  }

  private void announce() {
    if (running == null) {
      LOG.info(
          "Engine of group '{}' is ready; it runs no instances", node.settings().executorGroup());
      return;
    }
    node.events().started(new View(node, held, worker, running.keeper));
    node.events()
        .send(
            new EngineEvent.EngineStarted(
                running.keeper.executorId(), node.settings().executorGroup()));
    LOG.info(
        "Engine is ready as executor {} of group '{}' with {} definitions, {} handlers at a time",
        running.keeper.executorId(),
        node.settings().executorGroup(),
        node.definitions().ids().size(),
        node.settings().dispatching().concurrency());
  }

  /** The executor takes work from now on. */
  public void open() {
    if (running != null) {
      running.keeper.open();
      running.dispatcher.look();
    }
  }

  /**
   * All that the engine needs is there: from its next heartbeat on, which comes at once, the
   * executor counts as ready. May be called again by one that has become warm.
   */
  public void ready(boolean warm) {
    if (running != null) {
      Duration setup = running.keeper.ready(warm);
      if (setup != null) {
        node.events().send(new EngineEvent.EngineReady(running.keeper.executorId(), warm, setup));
      }
    }
  }

  /** This engine's executor; null when it runs nothing. */
  public @Nullable Long executorId() {
    return running == null ? null : running.keeper.executorId();
  }

  /** Starts instances; returns when they are durable. */
  public List<StartResult> start(List<NewInstance> instances) {
    return starter.start(instances);
  }

  /**
   * Waits for the end of an instance: the last that {@code reader} told when it ended or {@code
   * limit} has passed.
   */
  public WorkflowInstance await(
      long instanceId, Duration limit, Supplier<WorkflowInstance> reader) {
    Inside.refuse("await()", "listener");
    return endings.await(instanceId, limit, reader);
  }

  /**
   * Takes an instance that a message has told of.
   *
   * @param seq that of the transition or start which the message tells of
   * @throws io.millrace.store.StoreException when the database does not answer
   */
  public Arrival arrive(long instanceId, int seq) {
    Arrivals arrivals = running == null ? null : running.arrivals;
    return arrivals == null ? Arrival.FULL : arrivals.arrive(instanceId, seq);
  }

  /** Has {@code listener} called when messages over channels have been written, at any thread. */
  public void onMessage(Runnable listener) {
    wiring.messages = listener;
  }

  /** Has {@code work} done when the executor claims nothing more, before it leaves. */
  public void onLeaving(Consumer<StopReason> work) {
    wiring.leaving = work;
  }

  /** Has {@code listener} called when the executor has left because somebody asked it to. */
  public void onRetired(Consumer<StopReason> listener) {
    wiring.retired = listener;
  }

  /**
   * Adds a definition whose instances this engine runs from now on.
   *
   * @return false when there is one of this type and version already, which stays
   */
  public boolean define(WorkflowDefinition definition) {
    boolean added = node.definitions().add(definition);
    if (added) {
      look();
    }
    return added;
  }

  /** Something in the database may be due now: look here and tell the other nodes. */
  public void wakeAll() {
    look();
    node.store().hints().publish(node.settings().executorGroup());
  }

  /** An operator has taken the instance; a handler of it that runs here is told to stop. */
  public void takenAway(long instanceId, String why) {
    Held mine = held.get(instanceId);
    if (mine != null) {
      worker.withdraw(mine, why);
    }
  }

  /** How far it is on its way to the end. */
  public EngineState state() {
    if (closed) {
      return EngineState.CLOSED;
    }
    return retirement == null ? EngineState.RUNNING : retirement.state();
  }

  /** Why it stops; empty while it does not. */
  public Optional<StopReason> stopReason() {
    DrainRequest stop = retirement == null ? null : retirement.request();
    return Optional.ofNullable(stop).map(DrainRequest::reason);
  }

  /** True while this engine takes new work. */
  public boolean takesWork() {
    return running == null
        ? state() == EngineState.RUNNING
        : state() == EngineState.RUNNING && running.keeper.isWanted();
  }

  /** True while nobody else can have taken over what this engine's executor owns. */
  public boolean leaseRuns() {
    return running != null && running.keeper.leaseRuns();
  }

  /** True if the handler of an instance has not started; empty if it is not held here. */
  public Optional<Boolean> isQueued(long instanceId) {
    return Optional.ofNullable(held.get(instanceId)).map(mine -> mine.phase() == Held.Phase.QUEUED);
  }

  /** Instances held now. */
  public int held() {
    return held.size();
  }

  private void look() {
    if (running != null) {
      running.dispatcher.look();
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
    Inside.refuse("close()", "handler");
    Inside.refuse("close()", "listener");
  }

  private void stopAll(Duration grace) {
    if (retirement != null) {
      retirement.retire(StopReason.SHUTDOWN, grace);
    }
    starter.stop(PATIENCE);
    progressBoard.stop(PATIENCE);
    journal.stop(PATIENCE);
    errands.stop(PATIENCE);
    committer.stop(PATIENCE);
    worker.stop(PATIENCE);
    closed = true;
  }

  private Retirement.Parts parts(Running parts) {
    return new Retirement.Parts() {
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
          wiring.leaving.accept(why);
        } catch (RuntimeException e) {
          LOG.error("What this executor is to do before it leaves has failed", e);
        }
      }

      @Override
      public void signOff(Duration patience) {
        Dispatch.this.signOff(parts, patience);
      }
    };
  }

  private void signOff(Running parts, Duration patience) {
    long executorId = parts.keeper.executorId();
    parts.watch.stop(patience);
    parts.recovery.stop(patience);
    parts.cleaner.stop(patience);
    parts.keeper.stop(patience);
    node.events().send(new EngineEvent.EngineStopped(executorId, held.size()));
    LOG.info("Executor {} has stopped; {} instances are held", executorId, held.size());
  }

  /**
   * What the parts tell each other. The first claim may come before all parts exist; what it needs
   * is set by then.
   */
  private final class Wiring implements Worker.Hooks, Starter.Handover, LeaseKeeper.Hooks {
    private volatile @Nullable LeaseKeeper keeper;
    private volatile @Nullable Retirement retirement;
    private volatile @Nullable Dispatcher dispatcher;
    private volatile @Nullable Arrivals arrivals;
    private volatile Runnable messages = () -> {};
    private volatile Consumer<StopReason> leaving = reason -> {};
    private volatile Consumer<StopReason> retired = reason -> {};

    @Override
    public void messageWritten() {
      messages.run();
    }

    @Override
    public ExecutorInfo.Load load() {
      return worker.load();
    }

    @Override
    public void renewedAgain() {
      look();
    }

    /** On a thread of its own: the heartbeat goes on until the last handler has ended. */
    @Override
    public void drainRequested(ExecutorStore.DrainOrder order) {
      Retirement present = retirement;
      if (present != null && present.begin(order.reason(), order.left())) {
        LOG.info(
            "This executor stops within {} seconds, as {} has asked it to",
            order.left().toSeconds(),
            order.by());
        node.runtime()
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
      Retirement present = retirement;
      return present == null ? null : present.request();
    }

    @Override
    public boolean stillHolds(Held held) {
      LeaseKeeper present = keeper;
      return present != null && present.leaseRunsSince(held.provenNanos());
    }

    @Override
    public void roomChanged() {
      Dispatcher present = dispatcher;
      if (present != null) {
        present.roomChanged();
      }
      Arrivals waiting = arrivals;
      if (waiting != null) {
        waiting.roomChanged();
      }
    }

    @Override
    public void look() {
      Dispatcher present = dispatcher;
      if (present != null) {
        present.look();
      }
      node.store().hints().publish(node.settings().executorGroup());
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
      boolean takes =
          present != null && !present.hasBacklog() && lease != null && lease.takesWork();
      return worker.queue().reserveHandlers(takes ? most : 0);
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
        case Due.At at -> expect(Times.between(node.clock().instant(), at.instant()));
        case Due.Never never -> {}
      }
    }
  }
}
