package io.millrace.dispatch;

import io.millrace.codec.Codec;
import io.millrace.definition.StepInterceptor;
import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.instance.Due;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.Task;
import io.millrace.lifecycle.Waiter;
import io.millrace.store.Hints;
import io.millrace.store.NewInstance;
import io.millrace.store.StartResult;
import io.millrace.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One engine's parts, put together, started and stopped. Thread-safe. */
public final class Dispatch {

  private static final Logger LOG = LoggerFactory.getLogger(Dispatch.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** After the grace has passed, cancelled handlers have this long to end. */
  private static final Duration CANCEL_GRACE = Duration.ofSeconds(3);

  private final Node node;
  private final Endings endings;
  private final HeldSet held = new HeldSet();
  private final Acquisitions acquisitions = new Acquisitions();
  private final Committer committer;
  private final StepJournal journal;
  private final ProgressBoard progressBoard;
  private final Worker worker;
  private final Starter starter;
  private final @Nullable Running running;
  private final Hints.Subscription subscription;

  /** The parts of an engine that runs instances, not only steers them. */
  private record Running(
      LeaseKeeper keeper, Recovery recovery, Dispatcher dispatcher, Watch watch, Cleaner cleaner) {}

  /** What an engine is made of. */
  public record Parts(
      Store store,
      EngineRuntime runtime,
      EngineSettings settings,
      Definitions definitions,
      Codec codec,
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
            parts.codec(),
            new Events(listeners),
            parts.interceptors()),
        starts,
        endings);
  }

  private Dispatch(Node node, Starts starts, Endings endings) {
    this.node = node;
    this.endings = endings;
    LeaseKeeper.Registered registered =
        node.settings().autostart() ? LeaseKeeper.register(node) : null;
    this.committer = new Committer(node);
    this.journal = new StepJournal(node);
    this.progressBoard = new ProgressBoard(node);
    Wiring wiring = new Wiring();
    this.worker =
        new Worker(
            node,
            held,
            committer,
            new StepContext.Services(journal, progressBoard, starts),
            wiring);
    this.starter = new Starter(node, worker, acquisitions, wiring);
    this.running = registered == null ? null : run(registered, wiring);
    this.subscription =
        running == null
            ? () -> {}
            : node.store().hints().subscribe(node.settings().executorGroup(), this::look);
    announce();
  }

  private Running run(LeaseKeeper.Registered registered, Wiring wiring) {
    Reconciler reconciler =
        new Reconciler(
            node.store().work(),
            id -> node.store().executors().owned(id),
            held,
            acquisitions,
            lost -> worker.fence(lost, "the database shows another holder"));
    LeaseKeeper keeper = new LeaseKeeper(node, registered, reconciler, wiring::look);
    wiring.keeper = keeper;
    Dispatcher dispatcher = new Dispatcher(node, keeper, worker, acquisitions);
    wiring.dispatcher = dispatcher;
    Recovery recovery = new Recovery(node, keeper::executorId, dispatcher::look);
    return new Running(
        keeper, recovery, dispatcher, new Watch(node, held, worker, keeper), new Cleaner(node));
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
    subscription.close();
    if (running != null) {
      drain(running, grace);
    }
    starter.stop(PATIENCE);
    progressBoard.stop(PATIENCE);
    journal.stop(PATIENCE);
    committer.stop(PATIENCE);
    worker.stop(PATIENCE);
    if (running != null) {
      signOff(running);
    }
  }

  private void drain(Running parts, Duration grace) {
    LOG.info("Engine is stopping; {} instances are held", held.size());
    worker.drain();
    parts.dispatcher.stop(PATIENCE);
    worker.queue().close().forEach(worker::giveBack);
    if (awaitIdle(grace)) {
      tell(exiting());
      return;
    }
    LOG.warn(
        "{} handlers still run after {}; they are cancelled: {}",
        worker.queue().running(),
        grace,
        held.all());
    for (Held late : held.all()) {
      late.stop(node.store().interruptible());
    }
    boolean idle = awaitIdle(CANCEL_GRACE);
    List<Held> exiting = exiting();
    tell(exiting);
    if (!idle) {
      LOG.warn(
          "These handlers ignore their cancellation and may run on while others repeat them: {}",
          held.all());
      awaitWritten();
      held.all().stream().filter(late -> !exiting.contains(late)).forEach(worker::giveBack);
      awaitWritten();
    }
  }

  /**
   * A handler inside System.exit never ends. Given back uncounted it would end one JVM after the
   * other.
   */
  private List<Held> exiting() {
    return held.all().stream().filter(Dispatch::endsJvm).toList();
  }

  private static void tell(List<Held> exiting) {
    if (!exiting.isEmpty()) {
      LOG.warn("Handlers that ended the JVM are left to recovery, which counts that: {}", exiting);
    }
  }

  private static boolean endsJvm(Held one) {
    Task task = one.task();
    return task != null
        && task.stackTrace().stream().anyMatch(f -> f.getClassName().equals("java.lang.Shutdown"));
  }

  private void signOff(Running parts) {
    long executorId = parts.keeper.executorId();
    parts.watch.stop(PATIENCE);
    parts.recovery.stop(PATIENCE);
    parts.cleaner.stop(PATIENCE);
    parts.keeper.stop(PATIENCE);
    node.events().send(new EngineEvent.EngineStopped(executorId, held.size()));
    LOG.info("Executor {} has stopped; {} instances are held", executorId, held.size());
  }

  /** Asked anew each time: one that ends the JVM may begin to while the others are awaited. */
  private boolean awaitIdle(Duration limit) {
    return await(
        limit,
        () -> {
          int exiting = held.size() == 0 ? 0 : exiting().size();
          return worker.queue().running() <= exiting
              && worker.unwritten() == 0
              && held.size() <= exiting
              && acquisitions.settled(acquisitions.last());
        });
  }

  private void awaitWritten() {
    await(PATIENCE, () -> worker.unwritten() == 0);
  }

  private boolean await(Duration limit, BooleanSupplier condition) {
    Waiter waiter = node.runtime().runner().waiter();
    long end = node.clock().nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      long left = end - node.clock().nanoTime();
      if (left <= 0) {
        return false;
      }
      try {
        waiter.await(Duration.ofNanos(Math.min(left, 20_000_000)));
      } catch (InterruptedException e) {
        LOG.debug("A stop goes on although its thread was interrupted");
      }
    }
    return true;
  }

  /**
   * What the parts tell each other. The first claim may come before all parts exist; what it needs
   * is set by then.
   */
  private final class Wiring implements Worker.Hooks, Starter.Handover {
    private volatile @Nullable LeaseKeeper keeper;
    private volatile @Nullable Dispatcher dispatcher;

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
    public int free() {
      Dispatcher present = dispatcher;
      LeaseKeeper lease = keeper;
      return present == null || present.hasBacklog() || lease == null || !lease.leaseRuns()
          ? 0
          : worker.queue().freeHandlers();
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
