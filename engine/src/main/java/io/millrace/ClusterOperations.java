package io.millrace;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.continuous.RecycleSettingsService;
import io.millrace.continuous.Recycler;
import io.millrace.continuous.RolloutService;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.ExecutorState;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.OperatorAction;
import io.millrace.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The executors of a cluster as nodes, each of which keeps its name from one process to the next:
 * their load, cordon and drain. Thread-safe. Every call reads the database and throws {@link
 * io.millrace.store.StoreException} if it does not answer.
 */
public final class ClusterOperations {

  /** Time for which stopped executors are listed. */
  private static final Duration GONE = Duration.ofDays(1);

  private final Store store;
  private final RolloutService rollouts;
  private final RecycleSettingsService recycles;
  private final @Nullable Recycler recycler;

  /**
   * @param recycler null if this node does not recycle automatically
   */
  ClusterOperations(
      Store store,
      RolloutService rollouts,
      RecycleSettingsService recycles,
      @Nullable Recycler recycler) {
    this.store = store;
    this.rollouts = rollouts;
    this.recycles = recycles;
    this.recycler = recycler;
  }

  void stop(Duration patience) {
    if (recycler != null) {
      recycler.stop(patience);
    }
  }

  /** The liveness of an executor, derived from its lease. */
  public enum Liveness {
    ALIVE,
    /** The executor stopped in good order. */
    STOPPED,
    /** The lease of the executor has expired. */
    DEAD
  }

  /**
   * The status of an executor.
   *
   * @param executor its stored row
   * @param age how long its process has run, or did; how long the executor has when that is not
   *     known
   */
  public record ExecutorStatus(ExecutorInfo executor, Liveness presence, Duration age) {
    /** Returns the name of the executor's node, which its successor keeps. */
    public String name() {
      return executor.identity().node().name();
    }
  }

  /**
   * An instance that an executor holds, so that the executor cannot stop yet.
   *
   * @param since time since which the instance has been in this state
   */
  public record LeasedInstanceSummary(long instanceId, String type, String state, Instant since) {}

  /** Returns the executors of all groups, newest first. Stopped executors are listed for a day. */
  public List<ExecutorStatus> list() {
    Instant now = store.queries().now();
    return store.executors().all(GONE).stream().map(one -> node(one, now)).toList();
  }

  private static ExecutorStatus node(ExecutorInfo one, Instant now) {
    Liveness liveness =
        one.stopped() != null
            ? Liveness.STOPPED
            : one.isAlive(now) ? Liveness.ALIVE : Liveness.DEAD;
    Instant began = one.identity().node().began();
    Instant from = began == null ? one.started() : began;
    Instant to = liveness == Liveness.ALIVE ? now : one.active();
    Duration age = Duration.between(from, to);
    return new ExecutorStatus(one, liveness, age.isNegative() ? Duration.ZERO : age);
  }

  /**
   * Returns the instances that an executor holds, for which its drain waits.
   *
   * @param limit maximum number of instances, 1 to {@value InstanceQuery#MAX_LIMIT}
   */
  public List<LeasedInstanceSummary> leasedInstances(long executorId, int limit) {
    InstanceQuery query = InstanceQuery.all().executor(executorId).limit(limit);
    return store.queries().search(query, null).items().stream()
        .map(one ->
            new LeasedInstanceSummary(one.id(), one.type(), one.state(), one.timing().modified()))
        .toList();
  }

  /**
   * Asks an executor to claim no new work from its next heartbeat on. The instances it holds go on,
   * and its engine still answers.
   *
   * @throws InvalidRequestException if there is no such executor, or it is stopping
   */
  public void cordon(long executorId, OperatorAction action) {
    requirePresent(action, "The operator action, which names actor and reason,");
    check(store.executors().cordon(executorId, action), executorId, ExecutorState.Event.CORDON);
  }

  /**
   * Lets a cordoned executor claim new work again.
   *
   * @throws InvalidRequestException if there is no such executor, or it is stopping
   */
  public void uncordon(long executorId, OperatorAction action) {
    requirePresent(action, "The operator action, which names actor and reason,");
    check(store.executors().uncordon(executorId, action), executorId, ExecutorState.Event.UNCORDON);
  }

  /**
   * Asks an executor to stop in good order from its next heartbeat on. Its process goes on, and its
   * engine still answers. Only the first request takes effect.
   *
   * @throws InvalidRequestException if there is no such executor, or it has stopped
   */
  public void drain(long executorId, DrainRequest request, OperatorAction action) {
    requirePresent(request, "The request to drain");
    requirePresent(action, "The operator action, which names actor and reason,");
    check(
        store.executors().requestDrain(executorId, request, action),
        executorId,
        ExecutorState.Event.DRAIN);
  }

  private static void check(boolean done, long executorId, ExecutorState.Event event) {
    if (!done) {
      String verb = event.name().toLowerCase(Locale.ROOT);
      throw new InvalidRequestException(
          "Executor "
              + executorId
              + " cannot be asked to "
              + verb
              + ": it is on its way out or has stopped, or there is none with this number. Look at the"
              + " list of nodes.");
    }
  }

  /** Returns the service that replaces the nodes of this engine's group, one after another. */
  public RolloutService rollouts() {
    return rollouts;
  }

  /** Returns the settings of the automatic recycle of this engine's group. */
  public RecycleSettingsService recycles() {
    return recycles;
  }
}
