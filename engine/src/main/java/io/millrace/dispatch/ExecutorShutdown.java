package io.millrace.dispatch;

import io.millrace.instance.DrainRequest;
import io.millrace.instance.StopReason;
import io.millrace.instance.TimeLimits;
import io.millrace.lifecycle.EngineState;
import io.millrace.lifecycle.RunningTask;
import io.millrace.lifecycle.Waiter;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of an executor in good order: once, however many ask for it. The engine's services go on,
 * so that its client still works.
 */
final class ExecutorShutdown {

  private static final Logger LOG = LoggerFactory.getLogger(ExecutorShutdown.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long PAUSE_NANOS = 20_000_000;

  /** Time that cancelled handlers have to end after the grace period. */
  private static final Duration CANCEL_GRACE = Duration.ofSeconds(3);

  private final EngineContext engine;
  private final LeasedInstances held;
  private final PendingClaims pendingClaims;
  private final InstanceProcessor processor;
  private final StopSignalSource board;
  private final Hooks hooks;
  private volatile EngineState state = EngineState.RUNNING;
  private volatile @Nullable Long graceEnd;
  private volatile StopReason reason = StopReason.SHUTDOWN;

  /** Parts of the executor that a shutdown stops. */
  interface Hooks {
    /** Stops claiming; nothing is claimed after the return. */
    void stopClaiming(Duration patience);

    /** Gives back what is no instance, while handlers end. */
    void leave(StopReason why);

    /** The last thing: the heartbeat ends. */
    void signOff(Duration patience);
  }

  ExecutorShutdown(
      EngineContext engine,
      LeasedInstances held,
      PendingClaims pendingClaims,
      InstanceProcessor processor,
      StopSignalSource stopSignals,
      Hooks hooks) {
    this.engine = engine;
    this.held = held;
    this.pendingClaims = pendingClaims;
    this.processor = processor;
    this.board = stopSignals;
    this.hooks = hooks;
  }

  EngineState state() {
    return state;
  }

  /**
   * Retires, or waits until another caller has done so.
   *
   * @param grace how long handlers may go on before they are cancelled; the earliest end counts
   */
  void retire(StopReason why, Duration grace) {
    if (start(why, grace)) {
      finish();
    } else {
      await(() -> null, () -> state != EngineState.DRAINING);
    }
  }

  /** Finishes the shutdown; for the caller that started it. */
  void finish() {
    try {
      drain();
    } finally {
      try {
        hooks.signOff(PATIENCE);
      } finally {
        state = EngineState.DRAINED;
      }
    }
  }

  /** The stop as it is now; null when it has not begun. */
  @Nullable DrainRequest request() {
    Long end = graceEnd;
    if (end == null) {
      return null;
    }
    long left = Math.max(0, end - engine.clock().nanoTime());
    return new DrainRequest(reason, Duration.ofNanos(left));
  }

  /** Shortens the grace; false when it has begun before, and then for the reason of that time. */
  synchronized boolean start(StopReason why, Duration grace) {
    long end = engine.clock().nanoTime() + TimeLimits.nanos(grace);
    Long before = graceEnd;
    boolean first = state == EngineState.RUNNING;
    if (first) {
      reason = why;
      state = EngineState.DRAINING;
    }
    if (before == null || end - before < 0) {
      graceEnd = end;
      board.post(
          new StopSignalSource.Notice(reason, TimeLimits.after(engine.clock().instant(), grace)));
    }
    if (first) {
      processor.drain();
      held.all().forEach(ExecutorShutdown::tell);
    }
    return first;
  }

  private static void tell(LeasedInstance leased) {
    LeasedInstance.Attempt running = leased.attempt();
    if (running != null) {
      running.stop().tell();
    }
  }

  private void drain() {
    LOG.info("Engine is stopping; {} instances are held", held.size());
    hooks.stopClaiming(PATIENCE);
    processor.queue().close().forEach(processor::giveBack);
    hooks.leave(reason);
    if (await(() -> graceEnd, this::isIdle)) {
      tell(exiting());
      return;
    }
    LOG.warn(
        "{} handlers still run after their grace; they are cancelled: {}",
        processor.queue().running(),
        held.all());
    for (LeasedInstance late : held.all()) {
      late.stop(engine.store().interruptible());
    }
    boolean idle = await(CANCEL_GRACE, this::isIdle);
    List<LeasedInstance> exiting = exiting();
    tell(exiting);
    if (!idle) {
      LOG.warn(
          "These handlers ignore their cancellation and may run on while others repeat them: {}",
          held.all());
      awaitWritten();
      held.all().stream().filter(late -> !exiting.contains(late)).forEach(processor::cutShort);
      awaitWritten();
    }
  }

  /**
   * A handler inside System.exit never ends. Given back uncounted it would end one JVM after the
   * other.
   */
  private List<LeasedInstance> exiting() {
    return held.all().stream().filter(ExecutorShutdown::endsJvm).toList();
  }

  private static void tell(List<LeasedInstance> exiting) {
    if (!exiting.isEmpty()) {
      LOG.warn("Handlers that ended the JVM are left to recovery, which counts that: {}", exiting);
    }
  }

  private static boolean endsJvm(LeasedInstance leased) {
    RunningTask runningTask = leased.task();
    return runningTask != null
        && runningTask.stackTrace().stream()
            .anyMatch(f -> f.getClassName().equals("java.lang.Shutdown"));
  }

  /** Checked each time, because a handler may start to end the JVM during the wait. */
  private boolean isIdle() {
    int exiting = held.size() == 0 ? 0 : exiting().size();
    return processor.queue().running() <= exiting
        && processor.unwritten() == 0
        && held.size() <= exiting
        && pendingClaims.isSettled(pendingClaims.last());
  }

  private void awaitWritten() {
    await(PATIENCE, () -> processor.unwritten() == 0);
  }

  private boolean await(Duration limit, BooleanSupplier condition) {
    long end = engine.clock().nanoTime() + limit.toNanos();
    return await(() -> end, condition);
  }

  /** Looks again and again, since the end may come nearer meanwhile; null for no end. */
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
