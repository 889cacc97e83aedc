package io.millrace.dispatch;

import io.millrace.instance.DrainRequest;
import io.millrace.instance.StopReason;
import io.millrace.instance.TimeLimits;
import io.millrace.lifecycle.EngineState;
import io.millrace.lifecycle.Task;
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
final class Retirement {

  private static final Logger LOG = LoggerFactory.getLogger(Retirement.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long PAUSE_NANOS = 20_000_000;

  /** After the grace has passed, cancelled handlers have this long to end. */
  private static final Duration CANCEL_GRACE = Duration.ofSeconds(3);

  private final Node node;
  private final HeldSet held;
  private final Acquisitions acquisitions;
  private final Worker worker;
  private final StopBoard board;
  private final Parts parts;
  private volatile EngineState state = EngineState.RUNNING;
  private volatile @Nullable Long graceEnd;
  private volatile StopReason reason = StopReason.SHUTDOWN;

  /** What begins and ends with the executor. */
  interface Parts {
    /** Nothing more is claimed when this returns. */
    void stopClaiming(Duration patience);

    /** Gives back what is no instance, while handlers end. */
    void leave(StopReason why);

    /** The last thing: the heartbeat ends. */
    void signOff(Duration patience);
  }

  Retirement(
      Node node,
      HeldSet held,
      Acquisitions acquisitions,
      Worker worker,
      StopBoard board,
      Parts parts) {
    this.node = node;
    this.held = held;
    this.acquisitions = acquisitions;
    this.worker = worker;
    this.board = board;
    this.parts = parts;
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
    if (begin(why, grace)) {
      finish();
    } else {
      await(() -> null, () -> state != EngineState.DRAINING);
    }
  }

  /** For the caller who has begun it. */
  void finish() {
    try {
      drain();
    } finally {
      try {
        parts.signOff(PATIENCE);
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
    long left = Math.max(0, end - node.clock().nanoTime());
    return new DrainRequest(reason, Duration.ofNanos(left));
  }

  /** Shortens the grace; false when it has begun before, and then for the reason of that time. */
  synchronized boolean begin(StopReason why, Duration grace) {
    long end = node.clock().nanoTime() + TimeLimits.nanos(grace);
    Long before = graceEnd;
    boolean first = state == EngineState.RUNNING;
    if (first) {
      reason = why;
      state = EngineState.DRAINING;
    }
    if (before == null || end - before < 0) {
      graceEnd = end;
      board.post(new StopBoard.Notice(reason, TimeLimits.after(node.clock().instant(), grace)));
    }
    if (first) {
      worker.drain();
      held.all().forEach(Retirement::tell);
    }
    return first;
  }

  private static void tell(Held one) {
    Held.Attempt running = one.attempt();
    if (running != null) {
      running.stop().tell();
    }
  }

  private void drain() {
    LOG.info("Engine is stopping; {} instances are held", held.size());
    parts.stopClaiming(PATIENCE);
    worker.queue().close().forEach(worker::giveBack);
    parts.leave(reason);
    if (await(() -> graceEnd, this::isIdle)) {
      tell(exiting());
      return;
    }
    LOG.warn(
        "{} handlers still run after their grace; they are cancelled: {}",
        worker.queue().running(),
        held.all());
    for (Held late : held.all()) {
      late.stop(node.store().interruptible());
    }
    boolean idle = await(CANCEL_GRACE, this::isIdle);
    List<Held> exiting = exiting();
    tell(exiting);
    if (!idle) {
      LOG.warn(
          "These handlers ignore their cancellation and may run on while others repeat them: {}",
          held.all());
      awaitWritten();
      held.all().stream().filter(late -> !exiting.contains(late)).forEach(worker::cutShort);
      awaitWritten();
    }
  }

  /**
   * A handler inside System.exit never ends. Given back uncounted it would end one JVM after the
   * other.
   */
  private List<Held> exiting() {
    return held.all().stream().filter(Retirement::endsJvm).toList();
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

  /** Asked anew each time: one that ends the JVM may begin to while the others are awaited. */
  private boolean isIdle() {
    int exiting = held.size() == 0 ? 0 : exiting().size();
    return worker.queue().running() <= exiting
        && worker.unwritten() == 0
        && held.size() <= exiting
        && acquisitions.settled(acquisitions.last());
  }

  private void awaitWritten() {
    await(PATIENCE, () -> worker.unwritten() == 0);
  }

  private boolean await(Duration limit, BooleanSupplier condition) {
    long end = node.clock().nanoTime() + limit.toNanos();
    return await(() -> end, condition);
  }

  /** Looks again and again, since the end may come nearer meanwhile; null for no end. */
  private boolean await(End end, BooleanSupplier condition) {
    Waiter waiter = node.runtime().runner().waiter();
    while (!condition.getAsBoolean()) {
      Long until = end.nanos();
      long left = until == null ? PAUSE_NANOS : until - node.clock().nanoTime();
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

  private interface End {
    @Nullable Long nanos();
  }
}
