package io.millrace;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.codec.Codec;
import io.millrace.continuous.RecycleSettingsService;
import io.millrace.continuous.RolloutService;
import io.millrace.instance.AuditEntry;
import io.millrace.instance.AuditQuery;
import io.millrace.instance.ConflictException;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.ExecutorState;
import io.millrace.instance.FailureGroup;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.Page;
import io.millrace.instance.StateCount;
import io.millrace.instance.StateTiming;
import io.millrace.instance.StatisticsBucket;
import io.millrace.instance.StoredAuditEntry;
import io.millrace.instance.TypeCount;
import io.millrace.store.StateTimings;
import io.millrace.store.StatisticsStore;
import io.millrace.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The work of operators on an engine and its cluster: statistics, groups of failures, the audit
 * trail, executors with their load, cordon and drain, rollouts and recycles. Actions on one
 * instance are those of {@link WorkflowClient}. Thread-safe. Every call uses the database and
 * throws {@link io.millrace.store.StoreException} if it does not answer.
 */
public final class Admin {

  /** Time for which stopped executors are listed. */
  private static final Duration GONE = Duration.ofDays(1);

  private static final int MAX_GROUPS = 1_000;

  private final Store store;
  private final Codec codec;
  private final EngineParts features;

  Admin(Store store, Codec codec, EngineParts features) {
    this.store = store;
    this.codec = codec;
    this.features = features;
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
  public record ExecutorStatus(ExecutorInfo executor, Liveness liveness, Duration age) {
    /** Returns the name of the executor's node, which its successor keeps. */
    public String name() {
      return executor.identity().node().name();
    }
  }

  /**
   * An instance that an executor holds, so that the executor cannot stop yet.
   *
   * @param since when its visit of this state began
   */
  public record LeasedInstanceSummary(long instanceId, String type, String state, Instant since) {}

  /** Returns the number of open and of failed instances by type and status. */
  public List<TypeCount> open() {
    return statistics().countsByType();
  }

  /** Returns the number of open and of failed instances of a type by version, state and status. */
  public List<StateCount> states(String type) {
    return statistics().countsByState(requirePresent(type, "The type"));
  }

  /**
   * Returns failed and parked instances by the cause of their failure, the largest groups first. To
   * list or retry those of a group, search with {@link InstanceQuery#failure}.
   *
   * @param type null for all
   * @param limit maximum number of groups, 1 to 1,000
   * @throws InvalidRequestException if the limit is out of range
   */
  public List<FailureGroup> failures(@Nullable String type, int limit) {
    return statistics().failures(type, within("The limit of failure groups", limit, MAX_GROUPS));
  }

  /**
   * Returns the number of instances that started and ended in buckets of equal length, including
   * empty ones. Events that {@link #rollUp} has not counted yet are missing: at least those of the
   * last one to two minutes. Counts by minute are kept for two days and counts by hour for ever; an
   * hour belongs to the bucket in which it starts.
   *
   * @param type null for all
   * @throws io.millrace.instance.InvalidRequestException if the buckets are under a minute or more
   *     than 10,000
   */
  public List<StatisticsBucket> series(
      Instant from, Instant to, Duration bucketLength, @Nullable String type) {
    return statistics()
        .series(
            requirePresent(from, "The beginning"),
            requirePresent(to, "The end"),
            requirePresent(bucketLength, "The length of a bucket"),
            type);
  }

  /** Returns the due time of the instance that waits longest for an executor; empty for none. */
  public Optional<Instant> oldestDue() {
    return statistics().oldestDue();
  }

  /**
   * Returns the durations of handlers and their next states, by state, from the newest instances of
   * a type.
   *
   * @param sample number of instances, 1 to 1,000
   * @throws InvalidRequestException if the sample is out of range
   */
  public List<StateTiming> timings(String type, int sample) {
    return statistics()
        .timings(
            requirePresent(type, "The type"),
            within("The sample", sample, StateTimings.MAX_SAMPLES));
  }

  /**
   * Counts for {@link #series} what has happened since the last call. Must be called about once a
   * minute, by any node.
   *
   * @param now the time by the database's clock, or before it
   * @return how much was counted; call again until it is 0
   */
  public int rollUp(Instant now) {
    return statistics().rollUp(requirePresent(now, "The time"));
  }

  /** Returns the time by the database's clock. */
  public Instant now() {
    return store.queries().now();
  }

  /**
   * Counts matching instances up to {@code cap}; limit and cursor of the query are ignored.
   *
   * @param cap at least 1
   * @throws InvalidRequestException when the cap is less, or the query asks for a secret variable
   */
  public int count(InstanceQuery query, int cap) {
    within("The cap of a count", cap, Integer.MAX_VALUE);
    String value =
        VariableMatchEncoder.variableValue(store, codec, requirePresent(query, "The query"));
    return store.queries().count(query, value, cap);
  }

  /** Returns the executors of all groups, newest first. Stopped executors are listed for a day. */
  public List<ExecutorStatus> executors() {
    Instant now = store.queries().now();
    return store.executors().all(GONE).stream().map(one -> status(one, now)).toList();
  }

  private static ExecutorStatus status(ExecutorInfo one, Instant now) {
    Liveness liveness =
        one.stopped() != null
            ? Liveness.STOPPED
            : one.isAlive(now) ? Liveness.ALIVE : Liveness.DEAD;
    Instant processStarted = one.identity().node().processStarted();
    Instant from = processStarted == null ? one.started() : processStarted;
    Instant to = liveness == Liveness.ALIVE ? now : one.heartbeat();
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
            new LeasedInstanceSummary(one.id(), one.type(), one.state(), one.timing().entered()))
        .toList();
  }

  /**
   * Asks an executor to claim no new work from its next heartbeat on. The instances it holds go on,
   * and its engine still answers.
   *
   * @throws InvalidRequestException if there is no such executor
   * @throws ConflictException if it is stopping or has stopped
   */
  public void cordon(long executorId, OperatorAction action) {
    requirePresent(action, "The operator action, which names actor and reason,");
    check(store.executors().cordon(executorId, action), executorId, ExecutorState.Event.CORDON);
  }

  /**
   * Lets a cordoned executor claim new work again.
   *
   * @throws InvalidRequestException if there is no such executor
   * @throws ConflictException if it is stopping or has stopped
   */
  public void uncordon(long executorId, OperatorAction action) {
    requirePresent(action, "The operator action, which names actor and reason,");
    check(store.executors().uncordon(executorId, action), executorId, ExecutorState.Event.UNCORDON);
  }

  /**
   * Asks an executor to stop, as {@link #drain(long, DrainRequest, OperatorAction)} does, within
   * the default grace.
   */
  public void drain(long executorId, OperatorAction action) {
    drain(executorId, DrainRequest.withDefaultGrace(), action);
  }

  /**
   * Asks an executor to stop in good order from its next heartbeat on. Its process goes on, and its
   * engine still answers. Only the first request takes effect and is in the audit trail.
   *
   * @throws InvalidRequestException if there is no such executor
   * @throws ConflictException if it has stopped
   */
  public void drain(long executorId, DrainRequest request, OperatorAction action) {
    requirePresent(request, "The request to drain");
    requirePresent(action, "The operator action, which names actor and reason,");
    check(
        store.executors().requestDrain(executorId, request, action),
        executorId,
        ExecutorState.Event.DRAIN);
  }

  /** Returns the service that replaces the nodes of this engine's group, one after another. */
  public RolloutService rollouts() {
    return features.get(RolloutService.class);
  }

  /** Returns the settings of the automatic recycle of this engine's group. */
  public RecycleSettingsService recycles() {
    return features.get(RecycleSettingsService.class);
  }

  /** Returns the matching entries of the audit trail, newest first. */
  public Page<StoredAuditEntry> audit(AuditQuery query) {
    return store.audit().list(requirePresent(query, "The query"));
  }

  /**
   * Adds an entry to the audit trail about something other than an instance. Actions and signals
   * add theirs automatically.
   */
  public void audit(AuditEntry entry) {
    store.audit().append(requirePresent(entry, "The entry"));
  }

  private void check(boolean done, long executorId, ExecutorState.Event event) {
    if (done) {
      return;
    }
    ExecutorInfo executor =
        store.executors().all(GONE).stream()
            .filter(one -> one.id() == executorId)
            .findFirst()
            .orElseThrow(() ->
                new InvalidRequestException(
                    "There is no executor " + executorId + ". Look at the list of executors."));
    throw new ConflictException(
        "Executor "
            + executorId
            + " cannot be asked to "
            + event.name().toLowerCase(Locale.ROOT)
            + ": it "
            + (executor.stopped() == null ? "is " + executor.state() : "has stopped")
            + ". Look at the list of executors for one that runs.");
  }

  private static int within(String what, int number, int most) {
    if (number < 1 || number > most) {
      throw new InvalidRequestException(what + " is " + number + ", expected 1 to " + most + ".");
    }
    return number;
  }

  private StatisticsStore statistics() {
    return store.statistics();
  }
}
