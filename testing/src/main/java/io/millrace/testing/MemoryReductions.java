package io.millrace.testing;

import io.millrace.data.ChangeType;
import io.millrace.data.ReduceGroup;
import io.millrace.data.ReduceRecord;
import io.millrace.data.ReduceToken;
import io.millrace.instance.Due;
import io.millrace.store.Fence;
import io.millrace.store.ReduceStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Hashes of records in memory; a reset deletes at once. */
final class MemoryReductions implements ReduceStore {

  private static final class Group {
    final Map<String, ReduceRecord> records = new TreeMap<>();
    final Instant created;
    Instant modified;
    int generation = 1;
    long sourceSeq;

    Group(Instant now) {
      created = now;
      modified = now;
    }

    List<ReduceRecord> committed() {
      return records.values().stream().filter(r -> r.valueHash() != null).toList();
    }
  }

  private static final Comparator<ReduceRecord> LAST_FIRST =
      Comparator.comparing(MemoryReductions::since)
          .thenComparingLong(ReduceRecord::sourceSeq)
          .reversed()
          .thenComparing(ReduceRecord::keyHash);

  private final MemoryTables tables;
  private final TreeMap<String, Group> groups = new TreeMap<>();

  MemoryReductions(MemoryTables tables) {
    this.tables = tables;
  }

  private Group group(String name, Instant now) {
    return groups.computeIfAbsent(name, n -> new Group(now));
  }

  @Override
  public Optional<Compared> compare(Comparison comparison, @Nullable Fence fence) {
    return tables.transaction(
        now -> tables.holds(fence) ? Optional.of(compare(comparison, now)) : Optional.empty());
  }

  private Compared compare(Comparison comparison, Instant now) {
    Group group;
    if (comparison.then() instanceof Then.Look) {
      group = groups.getOrDefault(comparison.group(), new Group(now));
    } else {
      group = group(comparison.group(), now);
      group.sourceSeq++;
      group.modified = now;
    }
    List<Item> items = comparison.items();
    String owner = comparison.then() instanceof Then.Reserve reserve ? reserve.owner() : "";
    List<ChangeType> changes = items.stream().map(item -> change(group, item, owner, now)).toList();
    List<String> bases = items.stream().map(item -> base(group, item)).toList();
    List<ReduceRecord> stored = group.committed();
    for (int i = 0; i < items.size(); i++) {
      if (changes.get(i).isDue()) {
        apply(group, items.get(i), comparison.then(), now);
      }
    }
    if (comparison.full() && !(comparison.then() instanceof Then.Look)) {
      items.forEach(
          item -> group.records.computeIfPresent(item.keyHash(), (k, r) -> named(r, item)));
    }
    Set<String> there = new HashSet<>();
    items.forEach(item -> there.add(item.keyHash()));
    List<Missing> missing =
        stored.stream()
            .filter(r -> comparison.full() && !there.contains(r.keyHash()))
            .map(r -> new Missing(r.keyHash(), r.keyText()))
            .toList();
    return new Compared(group.generation, group.sourceSeq, changes, bases, stored.size(), missing);
  }

  private static String base(Group group, Item item) {
    ReduceRecord record = group.records.get(item.keyHash());
    return record == null
        ? Compared.base(0, null)
        : Compared.base(record.sourceSeq(), record.valueHash());
  }

  private static ChangeType change(Group group, Item item, String owner, Instant now) {
    ReduceRecord record = group.records.get(item.keyHash());
    if (record == null) {
      return ChangeType.NEW;
    }
    if (item.valueHash().equals(record.valueHash())) {
      return ChangeType.UNCHANGED;
    }
    ReduceRecord.Pending pending = record.pending();
    if (pending != null && pending.until().isAfter(now) && !pending.owner().equals(owner)) {
      return ChangeType.RESERVED;
    }
    return record.valueHash() == null ? ChangeType.NEW : ChangeType.CHANGED;
  }

  private static void apply(Group group, Item item, Then then, Instant now) {
    ReduceRecord record = group.records.get(item.keyHash());
    switch (then) {
      case Then.Nothing nothing -> {}
      case Then.Look look -> {}
      case Then.Reserve reserve ->
          group.records.put(
              item.keyHash(),
              new ReduceRecord(
                  item.keyHash(),
                  text(item.keyText(), record),
                  record == null ? null : record.valueHash(),
                  record == null ? 0 : record.sourceSeq(),
                  record == null ? null : record.committed(),
                  record == null ? null : record.committedBy(),
                  new ReduceRecord.Pending(
                      reserve.owner(),
                      item.valueHash(),
                      Objects.requireNonNull(
                          MemoryTimes.of(new Due.After(reserve.lease()), now)))));
      case Then.Settle settle ->
          commit(
              group,
              new ReduceToken(item.keyHash(), item.valueHash(), group.generation, group.sourceSeq),
              item.keyText(),
              settle.executionId(),
              now);
    }
  }

  private static @Nullable String text(@Nullable String given, @Nullable ReduceRecord record) {
    return given != null ? given : record == null ? null : record.keyText();
  }

  private static ReduceRecord named(ReduceRecord record, Item item) {
    return record.keyText() != null || record.valueHash() == null
        ? record
        : new ReduceRecord(
            record.keyHash(),
            item.keyText(),
            record.valueHash(),
            record.sourceSeq(),
            record.committed(),
            record.committedBy(),
            record.pending());
  }

  private static void commit(
      Group group,
      ReduceToken token,
      @Nullable String keyText,
      @Nullable Long executionId,
      Instant now) {
    ReduceRecord record = group.records.get(token.keyHash());
    if (record != null && record.sourceSeq() > token.sourceSeq()) {
      return;
    }
    ReduceRecord.Pending pending = record == null ? null : record.pending();
    group.records.put(
        token.keyHash(),
        new ReduceRecord(
            token.keyHash(),
            text(keyText, record),
            token.valueHash(),
            token.sourceSeq(),
            now,
            executionId,
            pending == null || pending.valueHash().equals(token.valueHash()) ? null : pending));
  }

  @Override
  public boolean commit(Commit commit, @Nullable Fence fence) {
    return tables.transaction(now -> {
      if (!tables.holds(fence)) {
        return false;
      }
      write(commit, now);
      return true;
    });
  }

  /** Commits inside of a transaction. */
  void write(Commit commit, Instant now) {
    Group group = group(commit.group(), now);
    commit.tokens().stream()
        .filter(token -> token.generation() == group.generation)
        .forEach(token -> commit(group, token, token.keyText(), commit.executionId(), now));
    forget(group, commit.forgotten());
  }

  @Override
  public int release(String name, String owner, List<String> keyHashes) {
    return tables.transaction(now -> {
      Group group = groups.get(name);
      if (group == null) {
        return 0;
      }
      int released = 0;
      for (ReduceRecord record : List.copyOf(group.records.values())) {
        ReduceRecord.Pending pending = record.pending();
        boolean wanted = keyHashes.isEmpty() || keyHashes.contains(record.keyHash());
        if (wanted && pending != null && pending.owner().equals(owner)) {
          group.records.put(record.keyHash(), with(record, null));
          released++;
        }
      }
      return released;
    });
  }

  private static ReduceRecord with(ReduceRecord record, ReduceRecord.@Nullable Pending pending) {
    return new ReduceRecord(
        record.keyHash(),
        record.keyText(),
        record.valueHash(),
        record.sourceSeq(),
        record.committed(),
        record.committedBy(),
        pending);
  }

  @Override
  public int reset(String name) {
    ReduceGroup.checked(name);
    return tables.transaction(now -> {
      Group group = group(name, now);
      group.records.clear();
      group.modified = now;
      return ++group.generation;
    });
  }

  @Override
  public int forget(String name, List<String> keyHashes) {
    return tables.transaction(now -> {
      Group group = groups.get(name);
      return group == null ? 0 : forget(group, keyHashes);
    });
  }

  /** The number of the last commit stays. */
  private static int forget(Group group, List<String> keyHashes) {
    int forgotten = 0;
    for (String keyHash : keyHashes) {
      ReduceRecord record = group.records.get(keyHash);
      if (record != null && isKnown(record)) {
        group.records.put(
            keyHash,
            new ReduceRecord(
                keyHash, null, null, record.sourceSeq(), record.committed(), null, null));
        forgotten++;
      }
    }
    return forgotten;
  }

  private static boolean isKnown(ReduceRecord record) {
    return record.valueHash() != null || record.pending() != null;
  }

  @Override
  public int trim(String name, @Nullable Duration retention, long most) {
    return tables.transaction(now -> {
      Group group = groups.get(name);
      if (group == null) {
        return 0;
      }
      int before = group.records.size();
      if (retention != null) {
        Instant oldest = now.minus(retention);
        group.records.values().removeIf(r -> !isPending(r, now) && since(r).isBefore(oldest));
      }
      if (most > 0) {
        for (boolean forgotten : List.of(false, true)) {
          List.copyOf(group.records.values()).stream()
              .filter(r -> r.committed() != null && (r.valueHash() == null) == forgotten)
              .sorted(LAST_FIRST)
              .skip(most)
              .filter(r -> !isPending(r, now))
              .forEach(r -> group.records.remove(r.keyHash()));
        }
      }
      return before - group.records.size();
    });
  }

  /** When it was committed; what never was is as new as can be. */
  private static Instant since(ReduceRecord record) {
    return Objects.requireNonNullElse(record.committed(), Instant.MAX);
  }

  @Override
  public Optional<ReduceRecord> record(String name, String keyHash) {
    return tables.transaction(now -> {
      Group group = groups.get(name);
      ReduceRecord record = group == null ? null : group.records.get(keyHash);
      return Optional.ofNullable(record)
          .filter(MemoryReductions::isKnown)
          .map(r -> isPending(r, now) ? r : with(r, null));
    });
  }

  private static boolean isPending(ReduceRecord record, Instant now) {
    return record.pending() != null && record.pending().until().isAfter(now);
  }

  @Override
  public Optional<ReduceGroup> find(String name) {
    return tables.transaction(
        now -> Optional.ofNullable(groups.get(name)).map(group -> counted(name, group, now)));
  }

  private static ReduceGroup counted(String name, Group group, Instant now) {
    long pending = group.records.values().stream().filter(r -> isPending(r, now)).count();
    return new ReduceGroup(
        name, group.generation, group.committed().size(), pending, group.created, group.modified);
  }

  @Override
  public List<ReduceGroup> groups(@Nullable String after, int limit) {
    return tables.transaction(now -> {
      List<ReduceGroup> found = new ArrayList<>();
      groups.tailMap(after == null ? "" : after, false).entrySet().stream()
          .limit(limit)
          .forEach(e -> found.add(counted(e.getKey(), e.getValue(), now)));
      return found;
    });
  }

  /** Nothing is left of before a reset. */
  @Override
  public int sweep(int limit) {
    return 0;
  }
}
