package io.millrace.dispatch;

import io.millrace.definition.StopSignal;
import io.millrace.instance.StopReason;
import io.millrace.instance.TimeLimits;
import io.millrace.lifecycle.EngineState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The request that this executor stops: its process ends, or an operator has ordered a drain.
 * Handlers, the processor and the heartbeat read it; {@link ExecutorShutdown} carries out the stop.
 * Thread-safe.
 */
final class StopRequest {

  private static final Logger LOG = LoggerFactory.getLogger(StopRequest.class);

  private final EngineContext engine;
  private final LeasedInstances leasedInstances;
  private volatile @Nullable Grace grace;
  private volatile boolean stopped;

  /** The reason of the first request, and the earliest end of the grace of all. */
  private record Grace(StopReason reason, long endNanos, Instant end) {}

  StopRequest(EngineContext engine, LeasedInstances leasedInstances) {
    this.engine = engine;
    this.leasedInstances = leasedInstances;
  }

  /**
   * Requests the stop, or shortens its grace. Returns false if it had been requested before; its
   * first reason stays.
   */
  synchronized boolean request(StopReason why, Duration limit) {
    long end = engine.clock().nanoTime() + TimeLimits.nanos(limit);
    Grace before = grace;
    if (before == null || end - before.endNanos < 0) {
      grace =
          new Grace(
              before == null ? why : before.reason,
              end,
              TimeLimits.after(engine.clock().instant(), limit));
    }
    if (before == null) {
      leasedInstances.all().forEach(StopRequest::runStopActions);
    }
    return before == null;
  }

  private static void runStopActions(LeasedInstance leased) {
    LeasedInstance.Attempt running = leased.attempt();
    if (running != null) {
      running.stop().runActions();
    }
  }

  boolean isRequested() {
    return grace != null;
  }

  /** Returns the end of the grace; null without a request. */
  @Nullable Long graceEndNanos() {
    Grace requested = grace;
    return requested == null ? null : requested.endNanos;
  }

  /** Returns the reason of the first request; null without a request. */
  @Nullable StopReason reason() {
    Grace requested = grace;
    return requested == null ? null : requested.reason;
  }

  /** Returns what is left of the grace; zero without a request. */
  Duration timeLeft() {
    Grace requested = grace;
    long left = requested == null ? 0 : requested.endNanos - engine.clock().nanoTime();
    return Duration.ofNanos(Math.max(0, left));
  }

  /** Records that the executor has stopped. */
  void stopped() {
    stopped = true;
  }

  EngineState state() {
    if (stopped) {
      return EngineState.DRAINED;
    }
    return isRequested() ? EngineState.DRAINING : EngineState.RUNNING;
  }

  /** Returns the stop signal of one attempt. */
  AttemptSignal signal() {
    return new AttemptSignal();
  }

  final class AttemptSignal implements StopSignal {
    private final List<Runnable> actions = new ArrayList<>();

    @Override
    public boolean requested() {
      return isRequested();
    }

    @Override
    public Optional<Instant> deadline() {
      return Optional.ofNullable(grace).map(Grace::end);
    }

    @Override
    public Optional<StopReason> reason() {
      return Optional.ofNullable(grace).map(Grace::reason);
    }

    @Override
    public void onStop(Runnable action) {
      synchronized (this) {
        if (!isRequested()) {
          actions.add(action);
          return;
        }
      }
      run(action);
    }

    /** Runs the actions that the handler has registered, each once. */
    private void runActions() {
      List<Runnable> due;
      synchronized (this) {
        due = List.copyOf(actions);
        actions.clear();
      }
      due.forEach(this::run);
    }

    /** Runs an action on a separate thread, since it may block. */
    private void run(Runnable action) {
      quietly(
          () -> engine.runtime().runner().runOnPlatform("millrace-on-stop", () -> quietly(action)));
    }

    /** The stop goes on if an action fails, or has no thread. */
    private static void quietly(Runnable work) {
      try {
        work.run();
      } catch (Throwable e) {
        LOG.warn("An action that a handler registered for the stop of its executor failed", e);
      }
    }
  }
}
