package io.millrace.testing;

import io.millrace.instance.Signal;
import io.millrace.store.ClaimRequest;
import io.millrace.store.ClaimResult;
import io.millrace.store.Fence;
import io.millrace.store.NewInstance;
import io.millrace.store.Save;
import io.millrace.store.SaveResult;
import io.millrace.store.StartResult;
import io.millrace.store.StoreException;
import io.millrace.store.TakeRequest;
import io.millrace.store.TakeResult;
import io.millrace.store.WorkStore;
import io.millrace.testing.MemoryTables.Lane;
import io.millrace.testing.MemoryTables.TimedId;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starting and claiming in memory; {@link MemorySaves} saves. */
final class MemoryWork implements WorkStore {

  private final MemoryTables tables;
  private final MemorySaves saves;

  MemoryWork(MemoryTables tables) {
    this.tables = tables;
    this.saves = new MemorySaves(tables);
  }

  @Override
  public List<StartResult> start(List<NewInstance> instances) {
    return tables.transaction(
        now -> instances.stream().map(start -> tables.start(start, now)).toList());
  }

  @Override
  public StartResult start(Connection transaction, NewInstance instance) {
    throw new StoreException(
        "Workflow '"
            + instance.origin().type()
            + "' cannot be started in a JDBC transaction: this store keeps its"
            + " instances in memory. Start it without a connection, or use a SQL store.",
        true,
        null);
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    return tables.transaction(now -> {
      List<Long> ids = due(request, now);
      List<ClaimResult.Claimed> claimed = new ArrayList<>();
      for (long id : ids) {
        claimed.add(take(row(id), request.executorId(), now));
      }
      boolean full = claimed.size() >= request.limit();
      return new ClaimResult(now, claimed, full ? null : nextDue(request, now));
    });
  }

  /** Lanes come by falling priority; those of one priority are merged by due time. */
  private List<Long> due(ClaimRequest request, Instant now) {
    TreeMap<Integer, List<TimedId>> byPriority = new TreeMap<>(Comparator.reverseOrder());
    lanes(request)
        .forEach(lane ->
            keys(lane).headSet(after(now), false).stream()
                .dropWhile(key -> key.time().isBefore(from(request, lane)))
                .limit(request.limit())
                .forEach(key ->
                    byPriority.computeIfAbsent(lane.priority(), p -> new ArrayList<>()).add(key)));
    return byPriority.values().stream()
        .flatMap(keys -> keys.stream().sorted())
        .limit(request.limit())
        .map(TimedId::id)
        .toList();
  }

  private @Nullable Instant nextDue(ClaimRequest request, Instant now) {
    return lanes(request)
        .map(lane -> keys(lane).ceiling(after(now)))
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .map(TimedId::time)
        .orElse(null);
  }

  private Stream<Lane> lanes(ClaimRequest request) {
    return tables.claimable.keySet().stream()
        .filter(lane ->
            lane.executorGroup().equals(request.executorGroup())
                && request.definitionIds().contains(lane.definitionId()));
  }

  private NavigableSet<TimedId> keys(Lane lane) {
    return Objects.requireNonNull(tables.claimable.get(lane));
  }

  private static Instant from(ClaimRequest request, Lane lane) {
    return request.dueFrom().isEmpty() ? Instant.MIN : request.dueFrom().get(lane.priority());
  }

  /** The border between all that is due and all that is not yet. */
  private static TimedId after(Instant now) {
    return new TimedId(now.plusNanos(1), Long.MIN_VALUE);
  }

  @Override
  public List<TakeResult> take(TakeRequest request) {
    return tables.transaction(
        now -> request.wanted().stream().map(wanted -> take(request, wanted, now)).toList());
  }

  private TakeResult take(TakeRequest request, TakeRequest.Wanted wanted, Instant now) {
    MemoryRow row = tables.rows.get(wanted.instanceId());
    if (row == null) {
      return new TakeResult.Unknown();
    }
    if (!row.origin.executorGroup().equals(request.executorGroup())
        || !request.definitionIds().contains(row.definitionId)) {
      return new TakeResult.Elsewhere();
    }
    if (!row.isClaimable() || row.waitingFor != null || row.seq != wanted.seq()) {
      return new TakeResult.Passed();
    }
    if (row.nextActivation != null && now.isBefore(row.nextActivation)) {
      row.nextActivation = now;
    }
    return new TakeResult.Taken(now, take(row, request.executorId(), now));
  }

  private ClaimResult.Claimed take(MemoryRow row, long executorId, Instant now) {
    row.executorId = executorId;
    row.leaseVersion++;
    row.attempt++;
    row.wakeAt = null;
    tables.changed(row, now);
    ClaimResult.Payload payload =
        new ClaimResult.Payload(
            row.input,
            new TreeMap<>(row.variables),
            List.copyOf(row.inbox.values()),
            Map.copyOf(row.steps.getOrDefault(row.enteredSeq, Map.of())));
    return new ClaimResult.Claimed(row.snapshot(), payload);
  }

  private MemoryRow row(long id) {
    return Objects.requireNonNull(tables.rows.get(id));
  }

  @Override
  public List<SaveResult> save(List<Save> requests) {
    return tables.transaction(now -> requests.stream().map(save -> saves.save(save, now)).toList());
  }

  @Override
  public List<Signal> inbox(long instanceId) {
    return tables.transaction(now -> {
      MemoryRow row = tables.rows.get(instanceId);
      return row == null ? List.of() : List.copyOf(row.inbox.values());
    });
  }

  @Override
  public boolean recordStep(StepRecord step) {
    return tables.transaction(now -> {
      MemoryRow row = held(step.fence());
      if (row == null) {
        return false;
      }
      row.steps
          .computeIfAbsent(step.enteredSeq(), visit -> new TreeMap<>())
          .putIfAbsent(step.name(), step.result());
      row.stepsSeq = step.enteredSeq();
      row.recoveries = 0;
      tables.changed(row, now);
      return true;
    });
  }

  @Override
  public void progress(List<ProgressUpdate> updates) {
    tables.transaction(now -> {
      for (ProgressUpdate update : updates) {
        MemoryRow row = held(update.fence());
        if (row != null) {
          row.progress = update.progress();
          tables.changed(row, now);
        }
      }
      return updates;
    });
  }

  @Override
  public int release(List<Fence> leases) {
    return tables.transaction(now -> {
      int released = 0;
      for (Fence lease : leases) {
        MemoryRow row = tables.rows.get(lease.instanceId());
        if (row != null && row.heldBy(lease)) {
          release(row, now);
          released++;
        }
      }
      return released;
    });
  }

  private void release(MemoryRow row, Instant now) {
    row.executorId = null;
    row.attempt = Math.max(0, row.attempt - 1);
    if (row.wakeAt != null) {
      row.nextActivation = now;
      row.wakeAt = null;
    }
    tables.changed(row, now);
  }

  private @Nullable MemoryRow held(Fence fence) {
    MemoryRow row = tables.rows.get(fence.instanceId());
    return row != null && row.heldUnder(fence) ? row : null;
  }
}
