package io.millrace.testing;

import io.millrace.data.ChangeType;
import io.millrace.data.ReduceGroup;
import io.millrace.data.ReduceRecordState;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Hashes of records in memory; a reset deletes at once. */
final class MemoryReduceStore implements ReduceStore {

  private static final class Group {
    final Map<String, ReduceRecordState> records = new TreeMap<>();
    final Instant created;
    Instant modified;
    int generation = 1;
    long sourceSeq;

    /** Null while nothing limits how many records it keeps. */
    @Nullable Long deletedSeq;

    Group(Instant now) {
      created = now;
      modified = now;
    }

    /** Returns the base of keys without a record. */
    long baseSeq() {
      return deletedSeq == null ? 0 : deletedSeq;
    }

    List<ReduceRecordState> committed() {
      return records.values().stream().filter(r -> r.valueHash() != null).toList();
    }
  }

  private static final Comparator<ReduceRecordState> LAST_FIRST =
      Comparator.comparing(MemoryReduceStore::since)
          .thenComparingLong(ReduceRecordState::sourceSeq)
          .reversed()
          .thenComparing(ReduceRecordState::keyHash);

  private final MemoryTables tables;
  private final TreeMap<String, Group> groups = new TreeMap<>();

  MemoryReduceStore(MemoryTables tables) {
    this.tables = tables;
  }

  private Group group(String name, Instant now) {
    return groups.computeIfAbsent(name, n -> new Group(now));
  }

  @Override
  public Optional<ComparisonResult> compare(Comparison comparison, @Nullable Fence fence) {
    return tables.transaction(
        now -> tables.holds(fence) ? Optional.of(compare(comparison, now)) : Optional.empty());
  }

  private ComparisonResult compare(Comparison comparison, Instant now) {
    Group group;
    if (comparison.then() instanceof FollowUp.DryRun) {
      group = groups.getOrDefault(comparison.group(), new Group(now));
    } else {
      group = group(comparison.group(), now);
      group.sourceSeq++;
      group.modified = now;
    }
    List<HashedRecord> items = comparison.items();
    String owner = comparison.then() instanceof FollowUp.Reserve reserve ? reserve.owner() : "";
    List<ChangeType> changes =
        items.stream().map(hashedRecord -> change(group, hashedRecord, owner, now)).toList();
    List<String> bases = items.stream().map(hashedRecord -> base(group, hashedRecord)).toList();
    List<ReduceRecordState> stored = group.committed();
    for (int i = 0; i < items.size(); i++) {
      if (changes.get(i).isDue()) {
        apply(group, items.get(i), comparison.then(), now);
      }
    }
    if (comparison.full() && !(comparison.then() instanceof FollowUp.DryRun)) {
      items.forEach(hashedRecord ->
          group.records.computeIfPresent(hashedRecord.keyHash(), (k, r) -> named(r, hashedRecord)));
    }
    Set<String> there = new HashSet<>();
    items.forEach(hashedRecord -> there.add(hashedRecord.keyHash()));
    List<MissingRecord> missing =
        stored.stream()
            .filter(r -> comparison.full() && !there.contains(r.keyHash()))
            .map(r -> new MissingRecord(r.keyHash(), r.keyText()))
            .toList();
    return new ComparisonResult(
        group.generation, group.sourceSeq, changes, bases, stored.size(), missing);
  }

  private static String base(Group group, HashedRecord hashedRecord) {
    ReduceRecordState record = group.records.get(hashedRecord.keyHash());
    return record == null
        ? ComparisonResult.base(group.baseSeq(), null)
        : ComparisonResult.base(record.sourceSeq(), record.valueHash());
  }

  private static ChangeType change(
      Group group, HashedRecord hashedRecord, String owner, Instant now) {
    ReduceRecordState record = group.records.get(hashedRecord.keyHash());
    if (record == null) {
      return ChangeType.NEW;
    }
    if (hashedRecord.valueHash().equals(record.valueHash())) {
      return ChangeType.UNCHANGED;
    }
    ReduceRecordState.Pending pending = record.pending();
    if (pending != null && pending.until().isAfter(now) && !pending.owner().equals(owner)) {
      return ChangeType.RESERVED;
    }
    return record.valueHash() == null ? ChangeType.NEW : ChangeType.CHANGED;
  }

  private static void apply(
      Group group, HashedRecord hashedRecord, FollowUp followUp, Instant now) {
    ReduceRecordState record = group.records.get(hashedRecord.keyHash());
    switch (followUp) {
      case FollowUp.None none -> {
        if (group.deletedSeq != null && (record == null || record.valueHash() == null)) {
          group.records.put(
              hashedRecord.keyHash(),
              new ReduceRecordState(
                  hashedRecord.keyHash(),
                  record == null ? null : record.keyText(),
                  null,
                  record == null ? group.baseSeq() : record.sourceSeq(),
                  now,
                  null,
                  record == null ? null : record.pending()));
        }
      }
      case FollowUp.DryRun dryRun -> {}
      case FollowUp.Reserve reserve ->
          group.records.put(
              hashedRecord.keyHash(),
              new ReduceRecordState(
                  hashedRecord.keyHash(),
                  text(hashedRecord.keyText(), record),
                  record == null ? null : record.valueHash(),
                  record == null ? group.baseSeq() : record.sourceSeq(),
                  record == null || record.valueHash() == null ? now : record.committed(),
                  record == null ? null : record.committedBy(),
                  new ReduceRecordState.Pending(
                      reserve.owner(),
                      hashedRecord.valueHash(),
                      Objects.requireNonNull(
                          MemoryColumnTimes.of(new Due.After(reserve.lease()), now)))));
      case FollowUp.CommitNow commitNow ->
          commit(
              group,
              new ReduceToken(
                  hashedRecord.keyHash(),
                  hashedRecord.valueHash(),
                  group.generation,
                  group.sourceSeq),
              hashedRecord.keyText(),
              commitNow.executionId(),
              now);
    }
  }

  private static @Nullable String text(@Nullable String given, @Nullable ReduceRecordState record) {
    return given != null ? given : record == null ? null : record.keyText();
  }

  private static ReduceRecordState named(ReduceRecordState record, HashedRecord hashedRecord) {
    return record.keyText() != null || record.valueHash() == null
        ? record
        : new ReduceRecordState(
            record.keyHash(),
            hashedRecord.keyText(),
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
    ReduceRecordState record = group.records.get(token.keyHash());
    if (record != null && record.sourceSeq() > token.sourceSeq()) {
      return;
    }
    ReduceRecordState.Pending pending = record == null ? null : record.pending();
    group.records.put(
        token.keyHash(),
        new ReduceRecordState(
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
      for (String keyHash : keyHashes) {
        ReduceRecordState record = group.records.get(keyHash);
        ReduceRecordState.Pending pending = record == null ? null : record.pending();
        if (record != null && pending != null && pending.owner().equals(owner)) {
          group.records.put(keyHash, with(record, null));
          released++;
        }
      }
      return released;
    });
  }

  private static ReduceRecordState with(
      ReduceRecordState record, ReduceRecordState.@Nullable Pending pending) {
    return new ReduceRecordState(
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

  /** Forgets records. The number of the last commit stays. */
  private static int forget(Group group, List<String> keyHashes) {
    int forgotten = 0;
    for (String keyHash : keyHashes) {
      ReduceRecordState record = group.records.get(keyHash);
      if (record != null && isKnown(record)) {
        forget(group, record);
        forgotten++;
      }
    }
    return forgotten;
  }

  private static void forget(Group group, ReduceRecordState record) {
    group.records.put(
        record.keyHash(),
        new ReduceRecordState(
            record.keyHash(), null, null, record.sourceSeq(), record.committed(), null, null));
  }

  private static boolean isKnown(ReduceRecordState record) {
    return record.valueHash() != null || record.pending() != null;
  }

  @Override
  public TrimResult trim(String name, @Nullable Duration retention, long most) {
    return tables.transaction(now -> {
      Group group = groups.get(name);
      return group == null ? TrimResult.NONE : new Trim(group, now).part(retention, most);
    });
  }

  /** One part of the forgetting and deleting of a group's old records. */
  private static final class Trim {
    private final Group group;
    private final Instant now;
    private int forgotten;
    private int deleted;

    Trim(Group group, Instant now) {
      this.group = group;
      this.now = now;
    }

    TrimResult part(@Nullable Duration retention, long most) {
      if (retention != null) {
        Instant oldest = now.minus(retention);
        forgetSome(sorted(true).filter(record -> since(record).isBefore(oldest)));
        Instant before = oldest.minus(retention);
        deleteSome(sorted(false).filter(record -> since(record).isBefore(before)));
      }
      if (most > 0) {
        forgetSome(sorted(true).limit(Math.max(0, sorted(true).count() - most)));
        deleteSome(sorted(false).limit(Math.max(0, sorted(false).count() - most)));
      }
      if (deleted > 0) {
        group.deletedSeq = ++group.sourceSeq;
      } else if (group.deletedSeq == null) {
        group.deletedSeq = 0L;
      }
      return new TrimResult(forgotten, room() == 0);
    }

    private int room() {
      return ROWS_PER_PART - forgotten - deleted;
    }

    /** Returns the committed or the forgotten records, the oldest first. */
    private Stream<ReduceRecordState> sorted(boolean committed) {
      return group.records.values().stream()
          .filter(record -> (record.valueHash() != null) == committed)
          .sorted(LAST_FIRST.reversed());
    }

    private void forgetSome(Stream<ReduceRecordState> records) {
      List<ReduceRecordState> some = unreserved(records);
      some.forEach(record -> forget(group, record));
      forgotten += some.size();
    }

    private void deleteSome(Stream<ReduceRecordState> records) {
      List<ReduceRecordState> some = unreserved(records);
      some.forEach(record -> group.records.remove(record.keyHash()));
      deleted += some.size();
    }

    private List<ReduceRecordState> unreserved(Stream<ReduceRecordState> records) {
      return records.filter(record -> !isPending(record, now)).limit(room()).toList();
    }
  }

  private static Instant since(ReduceRecordState record) {
    return Objects.requireNonNull(record.committed());
  }

  @Override
  public Optional<ReduceRecordState> record(String name, String keyHash) {
    return tables.transaction(now -> {
      Group group = groups.get(name);
      ReduceRecordState record = group == null ? null : group.records.get(keyHash);
      return Optional.ofNullable(record).filter(MemoryReduceStore::isKnown).map(r -> shown(r, now));
    });
  }

  private static ReduceRecordState shown(ReduceRecordState record, Instant now) {
    return new ReduceRecordState(
        record.keyHash(),
        record.keyText(),
        record.valueHash(),
        record.sourceSeq(),
        record.valueHash() == null ? null : record.committed(),
        record.committedBy(),
        isPending(record, now) ? record.pending() : null);
  }

  private static boolean isPending(ReduceRecordState record, Instant now) {
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

  /** Does nothing, since a reset deletes at once. */
  @Override
  public int deleteObsolete(int limit) {
    return 0;
  }
}
