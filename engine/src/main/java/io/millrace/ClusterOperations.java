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
 * The executors as places in a cluster, which one process after another takes: what they do, and
 * how they leave in good order. Thread-safe; every call asks the database, and throws {@link
 * io.millrace.store.StoreException} when it does not answer.
 */
public final class ClusterOperations {

  /** Time for which stopped executors are listed. */
  private static final Duration GONE = Duration.ofDays(1);

  private final Store store;
  private final RolloutService rollouts;
  private final RecycleSettingsService recycles;
  private final @Nullable Recycler recycler;

  /**
   * @param recycler null when this node does not begin anew by itself
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

  /** The liveness of an executor, as its lease tells. */
  public enum Liveness {
    ALIVE,
    /** Stopped in good order. */
    STOPPED,
    /** Its lease has run out. */
    DEAD
  }

  /**
   * An executor.
   *
   * @param executor as its row tells
   * @param age how long its process has run, or did; how long the executor has when that is not
   *     known
   */
  public record ExecutorStatus(ExecutorInfo executor, Liveness presence, Duration age) {
    /** The place that it takes in the cluster. */
    public String name() {
      return executor.identity().node().name();
    }
  }

  /**
   * An instance that an executor holds, so that it cannot leave yet.
   *
   * @param since since when it has been where it is
   */
  public record LeasedInstanceSummary(long instanceId, String type, String state, Instant since) {}

  /** The executors of all groups, newest first; those that are gone for a day at most. */
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
   * @param limit most instances, 1 to {@value InstanceQuery#MAX_LIMIT}
   */
  public List<LeasedInstanceSummary> leasedInstances(long executorId, int limit) {
    InstanceQuery query = InstanceQuery.all().executor(executorId).limit(limit);
    return store.queries().search(query, null).items().stream()
        .map(one ->
            new LeasedInstanceSummary(one.id(), one.type(), one.state(), one.timing().modified()))
        .toList();
  }

  /**
   * Asks an executor to take no new work from its next heartbeat on. What it holds goes on, and its
   * engine still answers.
   *
   * @throws InvalidRequestException when there is no such executor, or it is on its way out
   */
  public void cordon(long executorId, OperatorAction action) {
    requirePresent(action, "The operator action, which names actor and reason,");
    check(store.executors().cordon(executorId, action), executorId, ExecutorState.Event.CORDON);
  }

  /**
   * Lets a cordoned executor take new work again.
   *
   * @throws InvalidRequestException when there is no such executor, or it is on its way out
   */
  public void uncordon(long executorId, OperatorAction action) {
    requirePresent(action, "The operator action, which names actor and reason,");
    check(store.executors().uncordon(executorId, action), executorId, ExecutorState.Event.UNCORDON);
  }

  /**
   * Asks an executor to stop in good order, as from its next heartbeat; its process goes on, and
   * its engine still answers. The first request stands.
   *
   * @throws InvalidRequestException when there is no such executor, or it has stopped
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

  /** Replaces the nodes of this engine's group, one after another. */
  public RolloutService rollouts() {
    return rollouts;
  }

  /** Returns the settings of the automatic recycle of this engine's group. */
  public RecycleSettingsService recycles() {
    return recycles;
  }
}
