package io.millrace.dispatch;

import io.millrace.definition.State;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Position;
import io.millrace.lifecycle.IntervalThrottle;
import io.millrace.store.SaveRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A factory of the target of a transition, from the target state's type, the due time and pending
 * signals.
 */
final class TransitionTargets {

  private static final Logger LOG = LoggerFactory.getLogger(TransitionTargets.class);

  private final EngineContext engine;
  private final IntervalThrottle warnings;

  TransitionTargets(EngineContext engine) {
    this.engine = engine;
    this.warnings = new IntervalThrottle(engine.clock(), Duration.ofSeconds(10));
  }

  /** Returns the target for a state, which runs when due unless it is an end or manual. */
  SaveRequest.Target target(
      LeasedInstance leased, String name, Due due, AttemptResult.@Nullable Answered answered) {
    State state = leased.state(name);
    boolean now = due instanceof Due.Now;
    return switch (state.type()) {
      case END -> resting(name, InstanceStatus.FINISHED, true);
      case MANUAL -> resting(name, InstanceStatus.MANUAL, true);
      case WAIT -> {
        State.Await await = state.await();
        yield now && await != null
            ? awaiting(leased, name, await.signal(), await.timeout(), answered)
            : running(name, due, false);
      }
      case START, NORMAL -> now ? chained(leased, name) : running(name, due, false);
    };
  }

  /** Returns an immediate move, under the same lease unless the chain runs in a circle. */
  private SaveRequest.Target chained(LeasedInstance leased, String name) {
    int visits = leased.visitCounts.merge(name, 1, Integer::sum);
    if (visits < engine.settings().guards().maxVisits()) {
      return running(name, Due.NOW, true);
    }
    long nanos = engine.clock().nanoTime() - leased.claimedNanos;
    boolean busy = nanos < Duration.ofSeconds(1).toNanos();
    if (busy && warnings.permits()) {
      LOG.warn(
          "{} moved to state '{}' {} times within a second; it is slowed down",
          leased,
          name,
          visits);
    }
    return running(
        name, busy ? new Due.After(engine.settings().guards().busyLoopDelay()) : Due.NOW, false);
  }

  /** Returns a state that runs when the signal has arrived; at once if it is already here. */
  SaveRequest.Target awaiting(
      LeasedInstance leased,
      String name,
      String signal,
      @Nullable Duration timeout,
      AttemptResult.@Nullable Answered answered) {
    // If it is stored and not in memory, the store makes the instance due as soon as it waits.
    if (leased.inbox.has(signal, answered == null ? null : answered.context().consumed())) {
      return chained(leased, name);
    }
    Due due = timeout == null ? new Due.Never() : new Due.After(timeout);
    return new SaveRequest.Target(
        name, InstanceStatus.IN_PROGRESS, due, Position.signal(signal), true, false, 0);
  }

  private static SaveRequest.Target running(String name, Due due, boolean keepLease) {
    return new SaveRequest.Target(
        name, InstanceStatus.IN_PROGRESS, due, null, true, keepLease, keepLease ? 1 : 0);
  }

  /** Returns a state in which nothing more runs automatically: an end, or a manual state. */
  static SaveRequest.Target resting(String name, InstanceStatus status, boolean newVisit) {
    return new SaveRequest.Target(name, status, new Due.Never(), null, newVisit, false, 0);
  }
}
