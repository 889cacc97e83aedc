package io.millrace.dispatch;

import io.millrace.definition.State;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Position;
import io.millrace.instance.Signal;
import io.millrace.store.Save;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a transition leads: what the target state's type, the due time and waiting signals make of
 * it.
 */
final class Targets {

  private static final Logger LOG = LoggerFactory.getLogger(Targets.class);

  private final Node node;
  private final RateLimit warnings;

  Targets(Node node) {
    this.node = node;
    this.warnings = new RateLimit(node.clock(), Duration.ofSeconds(10));
  }

  /** A state that is moved to when due. */
  Save.Target target(Held held, String name, Due due, Attempted.@Nullable Answered answered) {
    State state = held.state(name);
    boolean now = due instanceof Due.Now;
    return switch (state.type()) {
      case END -> ended(name, InstanceStatus.FINISHED, true);
      case MANUAL -> ended(name, InstanceStatus.MANUAL, true);
      case WAIT -> {
        State.Await await = state.await();
        yield now && await != null
            ? awaiting(held, name, await.signal(), await.timeout(), answered)
            : running(name, due, false);
      }
      case START, NORMAL -> now ? chained(held, name) : running(name, due, false);
    };
  }

  /** An immediate move goes on under the same lease, unless the chain turns in a circle. */
  private Save.Target chained(Held held, String name) {
    int visits = held.visits.merge(name, 1, Integer::sum);
    if (visits < node.settings().guards().maxVisits()) {
      return running(name, Due.NOW, true);
    }
    long nanos = node.clock().nanoTime() - held.claimedNanos;
    boolean busy = nanos < Duration.ofSeconds(1).toNanos();
    if (busy && warnings.permits()) {
      LOG.warn(
          "{} moved to state '{}' {} times within a second; it is slowed down", held, name, visits);
    }
    return running(
        name, busy ? new Due.After(node.settings().guards().busyLoopDelay()) : Due.NOW, false);
  }

  /** A state that runs when the signal has come; when that is here already, at once. */
  Save.Target awaiting(
      Held held,
      String name,
      String signal,
      @Nullable Duration timeout,
      Attempted.@Nullable Answered answered) {
    if (hasSignal(held, signal, answered)) {
      return chained(held, name);
    }
    Due due = timeout == null ? new Due.Never() : new Due.After(timeout);
    return new Save.Target(
        name, InstanceStatus.IN_PROGRESS, due, Position.signal(signal), true, false, 0);
  }

  static boolean hasSignal(Held held, String name, Attempted.@Nullable Answered answered) {
    return held.inbox.stream()
        .filter(s -> answered == null || !answered.context().consumed().contains(s.id()))
        .anyMatch(s -> s.kind() == Signal.Kind.SIGNAL && s.name().equals(name));
  }

  private static Save.Target running(String name, Due due, boolean keepLease) {
    return new Save.Target(
        name, InstanceStatus.IN_PROGRESS, due, null, true, keepLease, keepLease ? 1 : 0);
  }

  /** A state in which nothing more runs by itself. */
  static Save.Target ended(String name, InstanceStatus status, boolean entering) {
    return new Save.Target(name, status, new Due.Never(), null, entering, false, 0);
  }
}
