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

/** The tables of continuous workflows and of the events that wait for their triggers. */
final class MemoryContinuousTables {

  private record Waiting(String name, OfferedEvent offer) {}

  final NavigableMap<String, MemoryContinuousRow> workflows = new TreeMap<>();

  private final NavigableMap<Long, Waiting> offers = new TreeMap<>();
  private final Map<String, Set<String>> memories = new HashMap<>();
  private long lastOffer;

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

  OfferResult offer(String name, OfferedEvent offered, int most) {
    MemoryContinuousRow row = workflows.get(name);
    if (row == null) {
      return OfferResult.UNKNOWN;
    }
    if (offersOf(name).anyMatch(offeredEvent -> offeredEvent.key().equals(offered.key()))) {
      return OfferResult.KNOWN;
    }
    if (offersOf(name).count() >= most) {
      return OfferResult.FULL;
    }
    lastOffer++;
    offers.put(
        lastOffer,
        new Waiting(
            name, new OfferedEvent(lastOffer, offered.key(), offered.payload(), offered.at())));
    row.changedByOthers(offered.at());
    return OfferResult.KEPT;
  }

  List<OfferedEvent> offers(String name, int limit) {
    return offersOf(name).limit(limit).toList();
  }

  private Stream<OfferedEvent> offersOf(String name) {
    return offers.values().stream()
        .filter(waiting -> waiting.name.equals(name))
        .map(Waiting::offer);
  }

  void take(String name, long offer) {
    Waiting waiting = offers.get(offer);
    if (waiting != null && waiting.name.equals(name)) {
      offers.remove(offer);
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
    offers.values().removeIf(waiting -> waiting.name.equals(name));
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
