package io.millrace.testing;

import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Origin;
import io.millrace.instance.Position;
import io.millrace.store.DefinitionStore.StoredDefinition;
import io.millrace.store.ExternalKey;
import io.millrace.store.Fence;
import io.millrace.store.NewInstance;
import io.millrace.store.StartResult;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All tables, their indexes and the lock that makes a transaction of everything done inside {@link
 * #transaction}.
 */
final class MemoryTables {

  /** The key of instances that may be claimed together, in the order of {@link TimedId}. */
  record ClaimIndexKey(String executorGroup, int definitionId, int priority)
      implements Comparable<ClaimIndexKey> {
    private static final Comparator<ClaimIndexKey> ORDER =
        Comparator.comparing(ClaimIndexKey::executorGroup)
            .thenComparingInt(key -> -key.priority())
            .thenComparingInt(ClaimIndexKey::definitionId);

    @Override
    public int compareTo(ClaimIndexKey other) {
      return ORDER.compare(this, other);
    }
  }

  /** An instance and one of its times. */
  record TimedId(Instant time, long id) implements Comparable<TimedId> {
    private static final Comparator<TimedId> ORDER =
        Comparator.comparing(TimedId::time).thenComparingLong(TimedId::id);

    @Override
    public int compareTo(TimedId other) {
      return ORDER.compare(this, other);
    }
  }

  private record Place(ClaimIndexKey claimIndexKey, TimedId key) {}

  final Map<Integer, StoredDefinition> definitions = new TreeMap<>();
  final NavigableMap<Long, ExecutorInfo> executors = new TreeMap<>();
  final NavigableMap<Long, MemoryInstance> rows = new TreeMap<>();
  final NavigableMap<Long, MemoryInstance> archive = new TreeMap<>();

  /** The parts that features have in the store. */
  final MemoryHooks hooks = new MemoryHooks();

  /** Claimable instances. Rows that ended, wait without limit or are held are not in here. */
  final NavigableMap<ClaimIndexKey, NavigableSet<TimedId>> claimable = new TreeMap<>();

  /** Ended instances by the time of their end. */
  final NavigableSet<TimedId> ended = new TreeSet<>();

  private final Map<Long, NavigableSet<Long>> owned = new TreeMap<>();
  private final Map<ExternalKey, Long> externalKeys = new LinkedHashMap<>();
  private final Map<Long, Place> placeOf = new TreeMap<>();
  private final Map<Long, TimedId> endOf = new TreeMap<>();
  private final Map<Long, Long> ownerOf = new TreeMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final InstantSource clock;
  private long lastId;

  MemoryTables(InstantSource clock) {
    this.clock = clock;
  }

  /** Does {@code work} exclusively, with the time of the transaction. */
  <T> T transaction(Function<Instant, T> work) {
    lock.lock();
    try {
      return work.apply(now());
    } finally {
      lock.unlock();
    }
  }

  long nextId() {
    return ++lastId;
  }

  Instant now() {
    return MemoryColumnTimes.truncated(clock.instant());
  }

  StartResult start(NewInstance start, Instant now) {
    MemoryInstance existing = find(start.origin());
    if (existing != null) {
      return new StartResult.Existing(existing.id, start.samePayload(existing.payloadHash));
    }
    MemoryInstance row = new MemoryInstance(nextId(), start, now);
    rows.put(row.id, row);
    start.attached().forEach(write -> hooks.write(row, write, now));
    ExternalKey key = ExternalKey.of(row.origin);
    if (key != null) {
      externalKeys.put(key, row.id);
    }
    index(row);
    return new StartResult.Created(row.id, now);
  }

  /** Returns true if a write under this fence is accepted; also for none. */
  boolean holds(@Nullable Fence fence) {
    MemoryInstance row = fence == null ? null : rows.get(fence.instanceId());
    return fence == null || (row != null && row.heldUnder(fence));
  }

  @Nullable MemoryInstance find(String type, String executorGroup, String externalId) {
    Long id = externalKeys.get(new ExternalKey(type, executorGroup, externalId));
    return id == null ? null : rows.get(id);
  }

  /** Returns true if a start with this external id would return the instance. */
  boolean isOf(long instanceId, Origin origin) {
    MemoryInstance known = find(origin);
    return known != null && known.id == instanceId;
  }

  @Nullable MemoryInstance find(Origin origin) {
    return origin.externalId() == null
        ? null
        : find(origin.type(), origin.executorGroup(), origin.externalId());
  }

  /** Ends a change of {@code row}, and updates the indexes. */
  void changed(MemoryInstance row, Instant now) {
    row.modified = now;
    index(row);
  }

  /** Removes a row from the live tables. */
  void remove(MemoryInstance row) {
    unindex(row);
    rows.remove(row.id);
    ExternalKey key = ExternalKey.of(row.origin);
    if (key != null) {
      externalKeys.remove(key);
    }
  }

  /** Makes the external id available for another instance. */
  void forgetExternalId(MemoryInstance row) {
    ExternalKey key = ExternalKey.of(row.origin);
    if (key != null) {
      externalKeys.remove(key);
      Origin o = row.origin;
      row.origin =
          new Origin(
              o.type(),
              o.version(),
              o.executorGroup(),
              o.priority(),
              o.businessKey(),
              null,
              o.parentId());
    }
  }

  private void index(MemoryInstance row) {
    unindex(row);
    if (row.isClaimable() && row.nextActivation != null) {
      ClaimIndexKey claimIndexKey =
          new ClaimIndexKey(row.origin.executorGroup(), row.definitionId, row.origin.priority());
      TimedId key = new TimedId(row.nextActivation, row.id);
      claimable.computeIfAbsent(claimIndexKey, l -> new TreeSet<>()).add(key);
      placeOf.put(row.id, new Place(claimIndexKey, key));
    }
    if (row.executorId != null) {
      owned.computeIfAbsent(row.executorId, e -> new TreeSet<>()).add(row.id);
      ownerOf.put(row.id, row.executorId);
    }
    if (row.ended != null) {
      TimedId key = new TimedId(row.ended, row.id);
      ended.add(key);
      endOf.put(row.id, key);
    }
  }

  private void unindex(MemoryInstance row) {
    Place place = placeOf.remove(row.id);
    if (place != null) {
      claimable.computeIfPresent(
          place.claimIndexKey(), (claimIndexKey, keys) -> without(keys, place.key()));
    }
    Long owner = ownerOf.remove(row.id);
    if (owner != null) {
      owned.computeIfPresent(owner, (executor, ids) -> without(ids, row.id));
    }
    TimedId end = endOf.remove(row.id);
    if (end != null) {
      ended.remove(end);
    }
  }

  private static <T> @Nullable NavigableSet<T> without(NavigableSet<T> set, T element) {
    set.remove(element);
    return set.isEmpty() ? null : set;
  }

  /** Returns executors that hold instances of the group. */
  Stream<Long> owners(String executorGroup) {
    return owned.entrySet().stream()
        .filter(e ->
            e.getValue().stream()
                .map(rows::get)
                .anyMatch(row -> row.origin.executorGroup().equals(executorGroup)))
        .map(Map.Entry::getKey);
  }

  /** Returns the instances that an executor holds. */
  NavigableSet<Long> ownedBy(long executorId) {
    NavigableSet<Long> ids = owned.get(executorId);
    return ids == null ? new TreeSet<>() : new TreeSet<>(ids);
  }

  /**
   * Counts a child's change from one status to another in its parent, and makes the parent due if
   * it waited for the last open one. Does nothing for a parent that retention has removed.
   */
  void tellParent(
      @Nullable Long parentId, InstanceStatus before, InstanceStatus after, Instant now) {
    MemoryInstance parent = parentId == null ? null : rows.get(parentId);
    if (parent == null) {
      return;
    }
    int opened = open(after) - open(before);
    int failed = failed(after) - failed(before);
    if (opened == 0 && failed == 0) {
      return;
    }
    parent.childrenOpen += opened;
    parent.childrenFailed += failed;
    boolean waits =
        Position.CHILDREN.equals(parent.waitingFor)
            && parent.executorId == null
            && !parent.status.isTerminal();
    if (opened < 0 && parent.childrenOpen == 0 && waits) {
      parent.nextActivation = now;
    }
    changed(parent, now);
  }

  private static int open(InstanceStatus status) {
    return status.isTerminal() ? 0 : 1;
  }

  private static int failed(InstanceStatus status) {
    return status == InstanceStatus.FAILED || status == InstanceStatus.CANCELLED ? 1 : 0;
  }
}
