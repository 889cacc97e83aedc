package io.millrace.dispatch;

import io.millrace.definition.State;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Task;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after running handlers: timeouts, stuck ones, and what must stop because the lease could
 * not be renewed.
 */
final class Watch {

  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
  private static final Duration BUSY_REST = Duration.ofMillis(250);
  private static final Duration SHORTEST_REST = Duration.ofMillis(20);

  /** After its timeout a handler has this long to end by itself. */
  private static final Duration GRACE = Duration.ofMillis(750);

  private final Node node;
  private final HeldSet held;
  private final Worker worker;
  private final LeaseKeeper keeper;
  private final Map<Held.Attempt, Long> nextReport = new WeakHashMap<>();
  private final StartMonitor starts;
  private final Duration idleRest;
  private final Loop loop;
  private boolean givenUp;
  private long givenUpRenewal;

  Watch(Node node, HeldSet held, Worker worker, LeaseKeeper keeper) {
    this.node = node;
    this.held = held;
    this.worker = worker;
    this.keeper = keeper;
    this.starts = new StartMonitor(node, held, worker);
    this.idleRest = idleRest(node);
    this.loop = node.runtime().runner().loop("millrace-watch", this::tick);
  }

  boolean stop(Duration patience) {
    return loop.stop(patience);
  }

  private Duration tick() {
    checkLease();
    long now = node.clock().nanoTime();
    for (Held one : held.all()) {
      Held.Attempt attempt = one.attempt();
      if (one.phase() == Held.Phase.RUNNING && attempt != null) {
        Duration running = Duration.ofNanos(now - attempt.startedNanos());
        checkTimeout(one, attempt, running);
        checkStuck(one, attempt, running, now);
      }
    }
    worker.queue().pump();
    starts.check(now);
    return held.size() == 0 || idleRest.compareTo(BUSY_REST) < 0 ? idleRest : BUSY_REST;
  }

  /** Short enough for whatever may begin during the rest. */
  private static Duration idleRest(Node node) {
    Duration rest = node.settings().leasing().giveUpAfter().dividedBy(8);
    rest = shorter(rest, node.settings().guards().stuckAfter());
    for (WorkflowDefinition definition : node.definitions().all()) {
      for (State state : definition.states().values()) {
        rest = shorter(rest, state.timeout());
      }
    }
    return rest.compareTo(SHORTEST_REST) < 0 ? SHORTEST_REST : rest;
  }

  private static Duration shorter(Duration one, @Nullable Duration other) {
    return other != null && other.compareTo(one) < 0 ? other : one;
  }

  /** Results that wait to be saved are kept: the fence in the database decides about them. */
  private void checkLease() {
    long renewed = keeper.renewedNanos();
    if (keeper.leaseRuns() || (givenUp && renewed == givenUpRenewal)) {
      return;
    }
    // A renewal with a late answer may let the lease run again between two looks.
    givenUp = true;
    givenUpRenewal = renewed;
    List<Held> unsaved =
        held.all().stream()
            .filter(h -> h.phase() == Held.Phase.RUNNING || h.phase() == Held.Phase.QUEUED)
            .toList();
    LOG.warn(
        "Executor {} could not renew its lease for {} and gives up {} instances before others take them over",
        keeper.executorId(),
        node.settings().leasing().giveUpAfter(),
        unsaved.size());
    unsaved.forEach(h -> worker.giveUp(h, "the lease could not be renewed in time"));
    node.events().send(new EngineEvent.LeasesGivenUp(keeper.executorId(), unsaved.size()));
  }

  private void checkTimeout(Held late, Held.Attempt attempt, Duration running) {
    Duration limit = attempt.timeout();
    if (limit == null || running.compareTo(limit) <= 0) {
      return;
    }
    late.cancel(attempt, "the timeout of " + limit + " has passed", node.store().interruptible());
    if (running.compareTo(limit.plus(GRACE)) > 0) {
      worker.abandon(late, attempt, limit, running);
    }
  }

  private void checkStuck(Held slow, Held.Attempt attempt, Duration running, long now) {
    Duration threshold = node.settings().guards().stuckAfter();
    if (running.compareTo(threshold) < 0 || now - nextReport.getOrDefault(attempt, now) < 0) {
      return;
    }
    nextReport.put(attempt, now + threshold.toNanos());
    Task task = slow.task();
    List<StackTraceElement> where = task == null ? List.of() : task.stackTrace();
    LOG.warn(
        "The handler of {} has been running for {} and may be stuck at {}", slow, running, where);
    node.events()
        .send(new EngineEvent.Stuck(slow.id(), slow.origin.type(), slow.state, running, where));
  }
}
