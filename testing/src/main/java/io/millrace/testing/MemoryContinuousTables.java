package io.millrace.testing;

import io.millrace.instance.StopReason;
import io.millrace.store.ContinuousStore.LogEntryType;
import io.millrace.store.ContinuousStore.MemoryChange;
import io.millrace.store.ContinuousStore.OfferResult;
import io.millrace.store.ContinuousStore.OfferedEvent;
import io.millrace.store.RunStartCodes;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of continuous workflows and of the events offered to them. */
final class MemoryContinuousTables {

  private record Waiting(String name, OfferedEvent event) {}

  final NavigableMap<String, MemoryContinuousRow> workflows = new TreeMap<>();

  private final NavigableMap<Long, Waiting> offered = new TreeMap<>();
  private final Map<String, Set<String>> memories = new HashMap<>();
  private long lastOffered;

  Stream<MemoryContinuousRow> ownedBy(long executorId) {
    return workflows.values().stream()
        .filter(row -> row.executorId != null && row.executorId == executorId);
  }

  /** Returns executors that own workflows of the group. */
  Stream<Long> owners(String executorGroup) {
    return workflows.values().stream()
        .filter(row -> row.identity.executorGroup().equals(executorGroup))
        .flatMap(row -> Stream.ofNullable(row.executorId));
  }

  /** Releases all workflows of a dead executor. */
  void lose(long executorId, String detail, Instant now) {
    ownedBy(executorId)
        .toList()
        .forEach(row -> {
          row.happened(LogEntryType.LOST, RunStartCodes.FAILOVER, detail, now);
          row.endRun(RunStartCodes.AUTO, RunStartCodes.FAILOVER, now);
        });
  }

  /** Releases all workflows of an executor that stops in good order. */
  void handOver(long executorId, @Nullable StopReason why, Instant now) {
    ownedBy(executorId).toList().forEach(row -> row.release(RunStartCodes.after(why), now));
  }

  OfferResult offer(String name, OfferedEvent event, int most) {
    MemoryContinuousRow row = workflows.get(name);
    if (row == null) {
      return OfferResult.UNKNOWN;
    }
    if (offeredTo(name).anyMatch(other -> other.key().equals(event.key()))) {
      return OfferResult.KNOWN;
    }
    if (offeredTo(name).count() >= most) {
      return OfferResult.FULL;
    }
    lastOffered++;
    offered.put(
        lastOffered,
        new Waiting(name, new OfferedEvent(lastOffered, event.key(), event.payload(), event.at())));
    row.changedByOthers(event.at());
    return OfferResult.KEPT;
  }

  List<OfferedEvent> offeredEvents(String name, int limit) {
    return offeredTo(name).limit(limit).toList();
  }

  private Stream<OfferedEvent> offeredTo(String name) {
    return offered.values().stream()
        .filter(waiting -> waiting.name.equals(name))
        .map(Waiting::event);
  }

  void take(String name, long id) {
    Waiting waiting = offered.get(id);
    if (waiting != null && waiting.name.equals(name)) {
      offered.remove(id);
    }
  }

  Set<String> memory(String name) {
    return Set.copyOf(memories.getOrDefault(name, Set.of()));
  }

  void remember(String name, MemoryChange change) {
    if (!change.added().isEmpty() || !change.removed().isEmpty()) {
      Set<String> items = memories.computeIfAbsent(name, key -> new HashSet<>());
      change.removed().forEach(items::remove);
      items.addAll(change.added());
    }
  }

  void remove(String name) {
    memories.remove(name);
    offered.values().removeIf(waiting -> waiting.name.equals(name));
    workflows.remove(name);
  }

  /** Deletes all but the newest log entries of some workflows. Returns the number of workflows. */
  int trim(int keep, int limit) {
    List<MemoryContinuousRow> full =
        workflows.values().stream().filter(row -> row.log.size() > keep).limit(limit).toList();
    for (MemoryContinuousRow row : full) {
      while (row.log.size() > keep) {
        row.log.pollFirstEntry();
      }
    }
    return full.size();
  }
}
