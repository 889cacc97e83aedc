package io.millrace.dispatch;

import io.millrace.event.EngineEvent;
import io.millrace.instance.StopReason;
import io.millrace.lifecycle.EndSteps;
import io.millrace.lifecycle.EngineState;
import io.millrace.lifecycle.Waiter;
import io.millrace.store.ExecutorStore;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stop of an executor in good order, which happens once, however often it is requested. The
 * engine's services go on, so that its client still works.
 */
final class ExecutorShutdown {

  private static final Logger LOG = LoggerFactory.getLogger(ExecutorShutdown.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long PAUSE_NANOS = 20_000_000;

  /** Time that cancelled handlers and unsaved results have after the grace period. */
  private static final Duration CANCEL_GRACE = Duration.ofSeconds(3);

  /** Time for everything after the handlers. */
  static final Duration LAST = Duration.ofSeconds(3);

  /** Part of {@link #LAST} in which instances are released. */
  private static final Duration RELEASE_PATIENCE = Duration.ofSeconds(2);

  /** Time that the engine's services have in any case. */
  private static final Duration SERVICES = Duration.ofSeconds(1);

  /**
   * Pause between checks for handlers that end the JVM, since the stacks of many handlers are
   * costly to read.
   */
  private static final Duration BETWEEN_STACKS = Duration.ofSeconds(1);

  private final EngineContext engine;
  private final ExecutorLease lease;
  private final StopRequest stopRequest;
  private final LeasedInstances leasedInstances;
  private final PendingClaims pendingClaims;
  private final InstanceProcessor processor;
  private final ExecutorLoops loops;
  private volatile Consumer<StopReason> beforeStop = reason -> {};
  private volatile Consumer<StopReason> onStopped = reason -> {};
  private volatile @Nullable StopDeadline last;

  /** Running handlers that have called System.exit, which never returns. */
  private List<RunningHandler> jvmEnding = List.of();

  private long nextStackCheckNanos;

  ExecutorShutdown(
      EngineContext engine,
      ExecutorLease lease,
      StopRequest stopRequest,
      LeasedInstances leasedInstances,
      PendingClaims pendingClaims,
      InstanceProcessor processor,
      ExecutorLoops loops) {
    this.engine = engine;
    this.lease = lease;
    this.stopRequest = stopRequest;
    this.leasedInstances = leasedInstances;
    this.pendingClaims = pendingClaims;
    this.processor = processor;
    this.loops = loops;
    this.nextStackCheckNanos = engine.clock().nanoTime();
  }

  /** Sets the work that is done after the last claim, while handlers end. */
  void beforeStop(Consumer<StopReason> work) {
    beforeStop = work;
  }

  /** Sets the listener that is called when the executor has stopped on an order to drain. */
  void onStopped(Consumer<StopReason> listener) {
    onStopped = listener;
  }

  /**
   * Starts the stop that an operator has ordered, on a thread of its own: the heartbeat goes on
   * until the last handler has ended. The thread requests the stop, so that the executor runs on if
   * none can be created; the next heartbeat repeats the order.
   */
  void drain(ExecutorStore.PendingDrain order) {
    if (stopRequest.isRequested()) {
      stopRequest.request(order.reason(), order.left());
    } else {
      engine.runtime().runner().runOnPlatform("millrace-drain", () -> drainNow(order));
    }
  }

  private void drainNow(ExecutorStore.PendingDrain order) {
    if (!stopRequest.request(order.reason(), order.left())) {
      return;
    }
    LOG.info(
        "This executor stops within {} seconds, as {} has asked it to",
        order.left().toSeconds(),
        order.by());
    try {
      stopOnce(order.reason());
    } catch (Throwable e) {
      LOG.error("A step of the stop of executor {} failed", lease.executorId(), e);
    }
    onStopped.accept(order.reason());
  }

  /**
   * Stops the executor, or waits until another caller has done so.
   *
   * @param grace how long handlers may go on before they are cancelled; the earliest end counts
   */
  void stop(StopReason why, Duration grace) {
    if (stopRequest.request(why, grace)) {
      stopOnce(why);
    } else {
      await(() -> null, () -> stopRequest.state() != EngineState.DRAINING);
    }
  }

  private void stopOnce(StopReason reason) {
    LOG.info(
        "Executor {} stops; it holds {} instances", lease.executorId(), leasedInstances.size());
    EndSteps.run(
        () -> loops.stopClaiming(PATIENCE),
        () -> stopHandlers(reason),
        () -> loops.stop(lastDeadline()),
        this::reportStop,
        stopRequest::stopped);
  }

  private void reportStop() {
    long executorId = lease.executorId();
    engine.events().send(new EngineEvent.ExecutorStopped(executorId, leasedInstances.size()));
    LOG.info("Executor {} has stopped; {} instances are held", executorId, leasedInstances.size());
  }

  /** Returns the time that the engine's services have to stop after the executor. */
  Duration timeLeft() {
    Duration left = lastDeadline().left();
    return left.compareTo(SERVICES) < 0 ? SERVICES : left;
  }

  /** Returns the deadline of everything after the handlers, which starts with the first call. */
  private StopDeadline lastDeadline() {
    StopDeadline deadline = last;
    if (deadline == null) {
      deadline = StopDeadline.after(engine.clock(), LAST);
      last = deadline;
    }
    return deadline;
  }

  private void stopHandlers(StopReason reason) {
    processor.queue().close().forEach(processor::submitRelease);
    runBeforeStop(reason);
    if (await(stopRequest::graceEndNanos, this::isIdle)) {
      logJvmEnding();
      return;
    }
    logLate(
        "{} handlers still run after their grace; they are cancelled: {}",
        "{} results are not saved after the grace; they have {} more: {}");
    for (LeasedInstance late : leasedInstances.all()) {
      late.stop(engine.store().interruptible());
    }
    boolean idle = await(CANCEL_GRACE, this::isIdle);
    lastDeadline();
    logJvmEnding();
    if (!idle) {
      logLate(
          "{} handlers ignore their cancellation and may run on while others repeat them: {}",
          "{} results could not be saved within {} after the grace; other executors repeat their"
              + " handlers: {}");
      leasedInstances.all().stream().filter(late -> !endsJvm(late)).forEach(processor::abandon);
      await(RELEASE_PATIENCE, () -> leasedInstances.all().stream().allMatch(this::endsJvm));
    }
  }

  private void runBeforeStop(StopReason reason) {
    try {
      beforeStop.accept(reason);
    } catch (Throwable e) {
      LOG.error("The work before the stop of this executor has failed", e);
    }
  }

  private void logLate(String ofHandlers, String ofResults) {
    List<RunningHandler> running =
        processor.handlers().stream().filter(handler -> !jvmEnding.contains(handler)).toList();
    List<LeasedInstance> unsaved =
        leasedInstances.all().stream()
            .filter(leased -> leased.phase() == LeasedInstance.Phase.SAVING)
            .toList();
    if (!running.isEmpty()) {
      LOG.warn(ofHandlers, running.size(), running);
    }
    if (!unsaved.isEmpty()) {
      LOG.warn(ofResults, unsaved.size(), CANCEL_GRACE, unsaved);
    }
  }

  /**
   * Logs handlers that never end because they called System.exit. Their instances are left to
   * recovery, which counts the crash: if released, they would end one JVM after the other.
   */
  private void logJvmEnding() {
    findJvmEnding();
    if (!jvmEnding.isEmpty()) {
      LOG.warn(
          "Handlers that ended the JVM are left to recovery, which counts that: {}", jvmEnding);
    }
  }

  private boolean endsJvm(LeasedInstance leased) {
    return jvmEnding.stream().anyMatch(handler -> handler.leased() == leased);
  }

  private void findJvmEnding() {
    jvmEnding = processor.handlers().stream().filter(ExecutorShutdown::endsJvm).toList();
    nextStackCheckNanos = engine.clock().nanoTime() + BETWEEN_STACKS.toNanos();
  }

  private static boolean endsJvm(RunningHandler handler) {
    return handler.stackTrace().stream()
        .anyMatch(frame -> frame.getClassName().equals("java.lang.Shutdown"));
  }

  /**
   * Returns true if nothing is left to wait for. Searches repeatedly for handlers that end the JVM:
   * one may call System.exit during the wait.
   */
  private boolean isIdle() {
    if (processor.queue().running() > 0 && engine.clock().nanoTime() - nextStackCheckNanos >= 0) {
      findJvmEnding();
    }
    return processor.queue().running() <= jvmEnding.size()
        && processor.unwritten() == 0
        && leasedInstances.all().stream().allMatch(this::endsJvm)
        && pendingClaims.isComplete(pendingClaims.last());
  }

  private boolean await(Duration limit, BooleanSupplier condition) {
    long end = engine.clock().nanoTime() + limit.toNanos();
    return await(() -> end, condition);
  }

  /**
   * Waits for a condition. Reads the deadline repeatedly, since it may be moved forward meanwhile;
   * null for none.
   */
  private boolean await(Deadline deadline, BooleanSupplier condition) {
    Waiter waiter = engine.runtime().runner().waiter();
    while (!condition.getAsBoolean()) {
      Long until = deadline.nanos();
      long left = until == null ? PAUSE_NANOS : until - engine.clock().nanoTime();
      if (left <= 0) {
        return false;
      }
      try {
        waiter.await(Duration.ofNanos(Math.min(left, PAUSE_NANOS)));
      } catch (InterruptedException e) {
        LOG.debug("A stop goes on although its thread was interrupted");
      }
    }
    return true;
  }

  private interface Deadline {
    @Nullable Long nanos();
  }
}
