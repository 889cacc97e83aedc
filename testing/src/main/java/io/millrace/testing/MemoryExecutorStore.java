package io.millrace.testing;

import io.millrace.instance.DrainRequest;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.ExecutorInfo.Load;
import io.millrace.instance.ExecutorInfo.Readiness;
import io.millrace.instance.ExecutorInfo.Timestamps;
import io.millrace.instance.ExecutorState;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StopReason;
import io.millrace.store.AuditEntryFactory;
import io.millrace.store.ExecutorStore;
import io.millrace.store.FailureFingerprint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Executors in memory. */
final class MemoryExecutorStore implements ExecutorStore {

  /**
   * A stop that was ordered or has started.
   *
   * @param grace null for the executor's own
   */
  private record Stop(StopReason reason, @Nullable Duration grace) {}

  private final MemoryTables tables;
  private final MemoryAuditStore audit;

  MemoryExecutorStore(MemoryTables tables, MemoryAuditStore audit) {
    this.tables = tables;
    this.audit = audit;
  }

  @Override
  public long register(ExecutorInfo.Identity identity, Duration ttl) {
    return tables.transaction(now -> {
      long id = tables.nextId();
      tables.executors.put(
          id,
          new ExecutorInfo(
              id,
              identity,
              new Timestamps(now, now, now.plus(ttl), null, null),
              Load.NONE,
              Readiness.NEW,
              null));
      return id;
    });
  }

  @Override
  public Renewal renew(long executorId, Duration ttl, Load load) {
    return tables.transaction(now -> {
      ExecutorInfo e = tables.executors.get(executorId);
      if (e == null) {
        return Renewal.GONE;
      }
      Timestamps timestamps = new Timestamps(e.started(), now, now.plus(ttl), e.stopped(), null);
      tables.executors.put(
          executorId,
          new ExecutorInfo(executorId, e.identity(), timestamps, load, e.readiness(), e.drain()));
      return new Renewal(true, e.state(), pending(e.drain(), now));
    });
  }

  private static @Nullable PendingDrain pending(ExecutorInfo.@Nullable Drain drain, Instant now) {
    if (drain == null) {
      return null;
    }
    Duration left = Duration.between(now, drain.deadline());
    return new PendingDrain(drain.by(), drain.reason(), left.isNegative() ? Duration.ZERO : left);
  }

  @Override
  public void updateDefinitions(long executorId, List<Integer> definitionIds) {
    tables.transaction(now ->
        tables.executors.computeIfPresent(
            executorId,
            (id, e) ->
                new ExecutorInfo(
                    id,
                    e.identity().definitions(definitionIds),
                    e.timestamps(),
                    e.load(),
                    e.readiness(),
                    e.drain())));
  }

  @Override
  public void reportLoopFailures(long executorId, String failures) {}

  @Override
  public void markReady(long executorId, boolean warm, Duration setup) {
    tables.transaction(now ->
        tables.executors.computeIfPresent(
            executorId,
            (id, e) -> {
              Readiness old = e.readiness();
              Instant since = old.ready() == null ? now : old.ready();
              Duration took = old.setup() == null ? setup : old.setup();
              return with(e, new Readiness(old.state(), since, warm, took), e.drain());
            }));
  }

  @Override
  public boolean cordon(long executorId, OperatorAction action) {
    return steer(executorId, ExecutorState.Event.CORDON, null, action);
  }

  @Override
  public boolean uncordon(long executorId, OperatorAction action) {
    return steer(executorId, ExecutorState.Event.UNCORDON, null, action);
  }

  @Override
  public boolean requestDrain(long executorId, DrainRequest request, OperatorAction action) {
    return steer(
        executorId, ExecutorState.Event.DRAIN, new Stop(request.reason(), request.grace()), action);
  }

  private boolean steer(
      long executorId, ExecutorState.Event event, @Nullable Stop stop, OperatorAction action) {
    return tables.transaction(now -> {
      if (change(executorId, event, stop, action.actor(), now)) {
        audit.add(AuditEntryFactory.of(executorId, event, action), null, now);
        return true;
      }
      ExecutorInfo e = tables.executors.get(executorId);
      return e != null && e.stopped() == null && e.state() == ExecutorState.goal(event);
    });
  }

  @Override
  public void recordStopping(long executorId, StopReason reason, Duration left, String by) {
    tables.transaction(
        now -> change(executorId, ExecutorState.Event.DRAIN, new Stop(reason, left), by, now));
  }

  private boolean change(
      long executorId, ExecutorState.Event event, @Nullable Stop stop, String by, Instant now) {
    ExecutorInfo e = tables.executors.get(executorId);
    if (e == null || e.stopped() != null || e.state().after(event).isEmpty()) {
      return false;
    }
    ExecutorInfo.Drain drain = stop == null ? e.drain() : drain(e, stop, by, now);
    tables.executors.put(executorId, with(e, e.readiness().in(ExecutorState.goal(event)), drain));
    return true;
  }

  private static ExecutorInfo.Drain drain(ExecutorInfo e, Stop stop, String by, Instant now) {
    Duration grace = stop.grace == null ? e.identity().node().drainGrace() : stop.grace;
    return new ExecutorInfo.Drain(now, by, stop.reason, now.plus(grace));
  }

  private static ExecutorInfo with(
      ExecutorInfo e, Readiness readiness, ExecutorInfo.@Nullable Drain drain) {
    return new ExecutorInfo(e.id(), e.identity(), e.timestamps(), e.load(), readiness, drain);
  }

  @Override
  public Map<Long, Integer> ownedInstances(long executorId) {
    return tables.transaction(now -> {
      Map<Long, Integer> versions = new TreeMap<>();
      tables.ownedBy(executorId).forEach(id -> versions.put(id, row(id).leaseVersion));
      return versions;
    });
  }

  @Override
  public List<Long> expired(String executorGroup) {
    return tables.transaction(now ->
        tables.executors.values().stream()
            .filter(e -> e.identity().executorGroup().equals(executorGroup))
            .filter(e -> isDead(e, now) && needsRecovery(e))
            .map(ExecutorInfo::id)
            .toList());
  }

  @Override
  public List<Long> recoveredOwners(String executorGroup) {
    return tables.transaction(now ->
        Stream.concat(tables.owners(executorGroup), tables.hooks.owners(executorGroup))
            .filter(id -> !tables.executors.containsKey(id))
            .distinct()
            .sorted()
            .toList());
  }

  /**
   * Returns true if the executor is dead. One that has stopped is dead at once, unless a late
   * renewal has extended its lease.
   */
  private static boolean isDead(ExecutorInfo executor, Instant now) {
    return executor.expires().isBefore(now)
        || (executor.stopped() != null && !executor.expires().isAfter(now));
  }

  /**
   * Returns true if the executor needs recovery. One that stopped in good order needs none, unless
   * it still owns something.
   */
  private boolean needsRecovery(ExecutorInfo executor) {
    return (executor.stopped() == null && executor.recovered() == null)
        || !tables.ownedBy(executor.id()).isEmpty()
        || tables.hooks.isOwner(executor.id());
  }

  @Override
  public List<Recovered> recover(
      long deadExecutorId, long byExecutorId, int limit, int maxRecoveries) {
    return tables.transaction(now -> {
      ExecutorInfo dead = tables.executors.get(deadExecutorId);
      if (dead != null && !isDead(dead, now)) {
        return List.of();
      }
      List<Recovered> taken = new ArrayList<>();
      for (long id : tables.ownedBy(deadExecutorId).stream().limit(limit).toList()) {
        taken.add(take(row(id), describe(deadExecutorId, dead), byExecutorId, maxRecoveries, now));
      }
      tables.hooks.died(deadExecutorId, describe(deadExecutorId, dead), now);
      boolean empty = tables.ownedBy(deadExecutorId).isEmpty();
      if (empty && dead != null && dead.recovered() == null) {
        tables.executors.put(deadExecutorId, ended(dead, dead.expires(), dead.stopped(), now));
      }
      return List.copyOf(taken);
    });
  }

  private static String describe(long id, @Nullable ExecutorInfo dead) {
    return "Executor "
        + id
        + " on "
        + (dead == null ? "a machine that is forgotten" : dead.identity().host());
  }

  private Recovered take(
      MemoryInstance row, String deadExecutor, long byExecutorId, int maxRecoveries, Instant now) {
    row.executorId = null;
    row.recoveries++;
    row.nextActivation = now;
    row.wakeAt = null;
    boolean parked = row.recoveries >= maxRecoveries;
    if (parked) {
      row.status = InstanceStatus.MANUAL;
      row.failure = FailureFingerprint.ofDeaths(row.origin.type(), row.state);
    }
    row.reason =
        deadExecutor
            + " died while it worked on this instance, "
            + row.recoveries
            + " in a row"
            + (parked ? "; parked, since the instance may be the cause." : ".");
    row.write(
        HistoryEntryType.RECOVERY,
        row.state,
        new HistoryEntry.Outcome(row.reason, null, null),
        new HistoryEntry.Author(byExecutorId, row.leaseVersion, 0, null),
        new HistoryEntry.Span(now, now));
    tables.changed(row, now);
    return new Recovered(row.id, parked);
  }

  @Override
  public void markStopped(long executorId) {
    tables.transaction(now -> {
      ExecutorInfo leaving = tables.executors.get(executorId);
      ExecutorInfo.Drain drain = leaving == null ? null : leaving.drain();
      tables.hooks.stopped(executorId, drain == null ? null : drain.reason(), now);
      return tables.executors.computeIfPresent(
          executorId,
          (id, e) -> {
            ExecutorState goal = ExecutorState.goal(ExecutorState.Event.END);
            return ended(with(e, e.readiness().in(goal), e.drain()), now, now, e.recovered());
          });
    });
  }

  @Override
  public List<ExecutorInfo> list(String executorGroup) {
    return tables.transaction(now ->
        tables.executors.descendingMap().values().stream()
            .filter(e -> e.identity().executorGroup().equals(executorGroup))
            .toList());
  }

  @Override
  public List<ExecutorInfo> all(Duration gone) {
    return tables.transaction(now ->
        tables.executors.descendingMap().values().stream()
            .filter(e -> {
              Instant end = e.stopped() != null ? e.stopped() : e.recovered();
              return end == null || !end.isBefore(now.minus(gone));
            })
            .toList());
  }

  private static ExecutorInfo ended(
      ExecutorInfo e, Instant expires, @Nullable Instant stopped, @Nullable Instant recovered) {
    return new ExecutorInfo(
        e.id(),
        e.identity(),
        new Timestamps(e.started(), e.heartbeat(), expires, stopped, recovered),
        e.load(),
        e.readiness(),
        e.drain());
  }

  private MemoryInstance row(long id) {
    return Objects.requireNonNull(tables.rows.get(id));
  }
}
