package io.millrace.testing;

import io.millrace.instance.InboxMessage;
import io.millrace.store.ChannelClaimRequest;
import io.millrace.store.ChannelClaimResult;
import io.millrace.store.ClaimRequest;
import io.millrace.store.ClaimResult;
import io.millrace.store.Fence;
import io.millrace.store.InboxRules;
import io.millrace.store.InstanceStore;
import io.millrace.store.LoadLimits;
import io.millrace.store.NewInstance;
import io.millrace.store.SaveRequest;
import io.millrace.store.SaveResult;
import io.millrace.store.StartResult;
import io.millrace.store.StoreException;
import io.millrace.testing.MemoryTables.ClaimIndexKey;
import io.millrace.testing.MemoryTables.TimedId;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starting and claiming in memory; {@link MemoryTransitionWriter} saves. */
final class MemoryInstanceStore implements InstanceStore {

  private final MemoryTables tables;
  private final MemoryTransitionWriter saves;

  MemoryInstanceStore(MemoryTables tables) {
    this.tables = tables;
    this.saves = new MemoryTransitionWriter(tables);
  }

  @Override
  public List<StartResult> start(List<NewInstance> instances) {
    return tables.transaction(now -> {
      instances.forEach(tables.hooks::requireWriters);
      return instances.stream().map(start -> tables.start(start, now)).toList();
    });
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
      Budget budget = new Budget(request.maxBytes());
      for (long id : ids) {
        if (!budget.allows(row(id))) {
          return new ClaimResult(now, claimed, null, true);
        }
        claimed.add(lease(row(id), request.executorId(), now, budget));
      }
      boolean full = claimed.size() >= request.limit();
      return new ClaimResult(now, claimed, full ? null : nextDue(request, now));
    });
  }

  /** Returns due instances by falling priority; those of one priority are merged by due time. */
  private List<Long> due(ClaimRequest request, Instant now) {
    TreeMap<Integer, List<TimedId>> byPriority = new TreeMap<>(Comparator.reverseOrder());
    claimIndexKeys(request)
        .forEach(claimIndexKey ->
            keys(claimIndexKey).headSet(after(now), false).stream()
                .dropWhile(key -> key.time().isBefore(from(request, claimIndexKey)))
                .limit(request.limit())
                .forEach(key ->
                    byPriority
                        .computeIfAbsent(claimIndexKey.priority(), p -> new ArrayList<>())
                        .add(key)));
    return byPriority.values().stream()
        .flatMap(keys -> keys.stream().sorted())
        .limit(request.limit())
        .map(TimedId::id)
        .toList();
  }

  private @Nullable Instant nextDue(ClaimRequest request, Instant now) {
    return claimIndexKeys(request)
        .map(claimIndexKey -> keys(claimIndexKey).ceiling(after(now)))
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .map(TimedId::time)
        .orElse(null);
  }

  private Stream<ClaimIndexKey> claimIndexKeys(ClaimRequest request) {
    return tables.claimable.keySet().stream()
        .filter(claimIndexKey ->
            claimIndexKey.executorGroup().equals(request.executorGroup())
                && request.definitionIds().contains(claimIndexKey.definitionId()));
  }

  private NavigableSet<TimedId> keys(ClaimIndexKey claimIndexKey) {
    return Objects.requireNonNull(tables.claimable.get(claimIndexKey));
  }

  private static Instant from(ClaimRequest request, ClaimIndexKey claimIndexKey) {
    return request.dueFrom().isEmpty()
        ? Instant.MIN
        : request.dueFrom().get(claimIndexKey.priority());
  }

  /** Returns the border between all that is due and all that is not yet. */
  private static TimedId after(Instant now) {
    return new TimedId(now.plusNanos(1), Long.MIN_VALUE);
  }

  @Override
  public List<ChannelClaimResult> claimForChannel(ChannelClaimRequest request) {
    Budget budget = new Budget(request.maxBytes());
    return tables.transaction(now ->
        request.named().stream()
            .map(candidate -> claimForChannel(request, candidate, now, budget))
            .toList());
  }

  private ChannelClaimResult claimForChannel(
      ChannelClaimRequest request,
      ChannelClaimRequest.Candidate candidate,
      Instant now,
      Budget budget) {
    MemoryInstance row = tables.rows.get(candidate.instanceId());
    if (row == null) {
      return new ChannelClaimResult.NotFound();
    }
    if (!row.origin.executorGroup().equals(request.executorGroup())
        || !request.definitionIds().contains(row.definitionId)) {
      return new ChannelClaimResult.NotEligible();
    }
    if (!row.isClaimable() || row.waitingFor != null || row.seq != candidate.seq()) {
      return new ChannelClaimResult.Superseded();
    }
    if (row.nextActivation != null && now.isBefore(row.nextActivation)) {
      row.nextActivation = now;
    }
    if (!budget.allows(row)) {
      return new ChannelClaimResult.TooMuch();
    }
    return new ChannelClaimResult.Claimed(now, lease(row, request.executorId(), now, budget));
  }

  /** The bytes that a request may load of each kind of data. */
  private static final class Budget {
    private final long maxBytes;
    private final long[] loaded = new long[3];
    private boolean first = true;
    private boolean tooLarge;
    private long inboxBytes;

    Budget(long maxBytes) {
      this.maxBytes = maxBytes;
      this.inboxBytes = maxBytes;
    }

    /** Counts an instance. Returns true if there is enough for it. */
    boolean allows(MemoryInstance row) {
      long input = InboxRules.bytes(row.input);
      loaded[0] += input > LoadLimits.SMALL_INPUT ? input : 0;
      loaded[1] += bytes(row.variables);
      loaded[2] += bytes(row.steps.getOrDefault(row.enteredSeq, Map.of()));
      long most = first ? LoadLimits.instanceBytes(maxBytes) : maxBytes;
      boolean fits = Arrays.stream(loaded).allMatch(bytes -> bytes <= most);
      boolean allowed = fits || first;
      tooLarge = !fits;
      first = false;
      return allowed;
    }

    private static long bytes(Map<String, String> texts) {
      return texts.values().stream().mapToLong(InboxRules::bytes).sum();
    }

    List<InboxMessage> page(MemoryInstance row) {
      List<InboxMessage> page = InboxRules.page(row.unconsumedMessages.values(), inboxBytes);
      inboxBytes -= page.stream().mapToLong(message -> InboxRules.bytes(message.payload())).sum();
      return page;
    }
  }

  private ClaimResult.Claimed lease(
      MemoryInstance row, long executorId, Instant now, Budget budget) {
    row.executorId = executorId;
    row.leaseVersion++;
    row.attempt++;
    row.wakeAt = null;
    tables.changed(row, now);
    ClaimResult.ClaimedData data =
        new ClaimResult.ClaimedData(
            row.input,
            new TreeMap<>(row.variables),
            budget.page(row),
            Map.copyOf(row.steps.getOrDefault(row.enteredSeq, Map.of())));
    return new ClaimResult.Claimed(row.snapshot(), data, budget.tooLarge);
  }

  private MemoryInstance row(long id) {
    return Objects.requireNonNull(tables.rows.get(id));
  }

  @Override
  public List<SaveResult> save(List<SaveRequest> requests) {
    return tables.transaction(now -> {
      requests.forEach(tables.hooks::requireWriters);
      return requests.stream().map(save -> saves.save(save, now)).toList();
    });
  }

  @Override
  public List<InboxMessage> unconsumedMessages(long instanceId) {
    return tables.transaction(now -> {
      MemoryInstance row = tables.rows.get(instanceId);
      return row == null
          ? List.of()
          : InboxRules.page(row.unconsumedMessages.values(), InboxRules.PAGE_BYTES);
    });
  }

  @Override
  public Optional<InboxMessage> oldestSignal(long instanceId, String name) {
    return tables.transaction(now ->
        Optional.ofNullable(tables.rows.get(instanceId)).stream()
            .flatMap(row -> row.unconsumedMessages.values().stream())
            .filter(message ->
                message.kind() == InboxMessage.Kind.SIGNAL && message.name().equals(name))
            .findFirst());
  }

  @Override
  public boolean recordStep(StepRecord step) {
    return tables.transaction(now -> {
      MemoryInstance row = held(step.fence());
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
        MemoryInstance row = held(update.fence());
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
        MemoryInstance row = tables.rows.get(lease.instanceId());
        if (row != null && row.heldBy(lease)) {
          release(row, now);
          released++;
        }
      }
      return released;
    });
  }

  private void release(MemoryInstance row, Instant now) {
    row.executorId = null;
    row.attempt = Math.max(0, row.attempt - 1);
    if (row.wakeAt != null) {
      row.nextActivation = now;
      row.wakeAt = null;
    }
    tables.changed(row, now);
  }

  private @Nullable MemoryInstance held(Fence fence) {
    MemoryInstance row = tables.rows.get(fence.instanceId());
    return row != null && row.heldUnder(fence) ? row : null;
  }
}
