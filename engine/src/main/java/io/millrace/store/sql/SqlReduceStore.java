package io.millrace.store.sql;

import io.millrace.data.ChangeType;
import io.millrace.data.ReduceGroup;
import io.millrace.data.ReduceRecordState;
import io.millrace.data.ReduceToken;
import io.millrace.instance.TimeLimits;
import io.millrace.store.Fence;
import io.millrace.store.ReduceStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of records in SQL. A transaction locks a group's row before it writes the group's
 * records.
 */
final class SqlReduceStore implements ReduceStore {

  private final Jdbc jdbc;

  SqlReduceStore(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * The numbers of a group.
   *
   * @param source of the last comparison
   * @param deleted base of its deleted records; null while nothing limits how many it keeps
   */
  record Seqs(long source, @Nullable Long deleted) {}

  record Group(
      int id,
      String name,
      int generation,
      Seqs seqs,
      Instant created,
      Instant modified,
      Instant now) {
    static Group read(ResultSet row) throws SQLException {
      return new Group(
          row.getInt("id"),
          row.getString("name"),
          row.getInt("generation"),
          new Seqs(row.getLong("source_seq"), RowMappers.longOrNull(row, "deleted_seq")),
          ColumnTimes.read(row, "created_at"),
          ColumnTimes.read(row, "modified_at"),
          ColumnTimes.read(row, "now"));
    }

    /** Returns a group without records. */
    static Group none() {
      return new Group(0, "", 1, new Seqs(0, null), Instant.EPOCH, Instant.EPOCH, Instant.EPOCH);
    }

    /** Returns the base of keys without a row. */
    long baseSeq() {
      return seqs.deleted == null ? 0 : seqs.deleted;
    }

    Params in(Params params) {
      return params.set("id", id).set("generation", generation);
    }

    Params params() {
      return in(Params.none());
    }
  }

  @Override
  public Optional<ComparisonResult> compare(Comparison comparison, @Nullable Fence fence) {
    return jdbc.transaction(
        "compare records",
        comparison.full()
            ? StatementTimeout.LONG
            : StatementTimeout.forRows(comparison.items().size()),
        session ->
            FenceSql.lockAndCheck(session, fence)
                ? Optional.of(compare(session, comparison))
                : Optional.empty());
  }

  private static ComparisonResult compare(SqlSession session, Comparison comparison)
      throws SQLException {
    if (comparison.then() instanceof FollowUp.DryRun) {
      Group group = find(session, comparison.group(), "").orElseGet(Group::none);
      return compare(session, comparison, group);
    }
    Group group = locked(session, comparison.group());
    session.update(ReduceSql.NEXT_SEQ, Params.of("id", group.id));
    return compare(session, comparison, group);
  }

  private static ComparisonResult compare(SqlSession session, Comparison comparison, Group group)
      throws SQLException {
    List<HashedRecord> items = comparison.items();
    String owner = comparison.then() instanceof FollowUp.Reserve reserve ? reserve.owner() : "";
    List<ChangeType> changes =
        new ArrayList<>(Collections.nCopies(items.size(), ChangeType.UNCHANGED));
    List<String> bases = new ArrayList<>(Collections.nCopies(items.size(), ""));
    List<HashedRecord> unknown = new ArrayList<>();
    int most = session.dialect().longestArray();
    for (int from = 0; from < items.size(); from += most) {
      int first = from;
      session.forEachRow(
          ReduceSql.COMPARE,
          group
              .in(ReduceSql.compared(ReduceSql.chunk(items, from, most)))
              .set("owner", owner)
              .set("deletedSeq", group.baseSeq())
              .set("at", group.now),
          row -> {
            int place = first + row.getInt("place");
            if (row.getInt("fresh") == 1 && row.getInt("reserved") == 0) {
              unknown.add(items.get(place));
            }
            changes.set(place, change(row));
            bases.set(
                place, ComparisonResult.base(row.getLong("base_seq"), row.getString("base_hash")));
          });
    }
    List<MissingRecord> stored = comparison.full() ? stored(session, group) : List.of();
    if (!(comparison.then() instanceof FollowUp.DryRun)) {
      fillKeys(session, group, stored, items);
    }
    List<HashedRecord> due =
        IntStream.range(0, items.size())
            .filter(i -> changes.get(i).isDue())
            .mapToObj(items::get)
            .toList();
    long seq = group.seqs.source + 1;
    if (!(comparison.then() instanceof FollowUp.None)) {
      apply(session, group, comparison.then(), due, seq);
    } else if (group.seqs.deleted != null) {
      apply(session, group, comparison.then(), unknown, seq);
    }
    return new ComparisonResult(
        group.generation,
        seq,
        changes,
        bases,
        stored.size(),
        comparison.full() ? missing(stored, items) : List.of());
  }

  private static void fillKeys(
      SqlSession session, Group group, List<MissingRecord> stored, List<HashedRecord> items)
      throws SQLException {
    Set<String> unnamed = new HashSet<>();
    stored.stream().filter(one -> one.keyText() == null).forEach(one -> unnamed.add(one.keyHash()));
    List<HashedRecord> named =
        items.stream()
            .filter(hashedRecord ->
                hashedRecord.keyText() != null && unnamed.remove(hashedRecord.keyHash()))
            .toList();
    int most = session.dialect().longestArray();
    for (int from = 0; from < named.size(); from += most) {
      List<HashedRecord> some = ReduceSql.chunk(named, from, most);
      session.update(
          ReduceSql.FILL_KEYS,
          group.in(
              Params.none()
                  .texts("keys", some, HashedRecord::keyHash)
                  .texts("texts", some, HashedRecord::keyText)));
    }
  }

  private static ChangeType change(ResultSet row) throws SQLException {
    if (row.getInt("reserved") == 1) {
      return ChangeType.RESERVED;
    }
    return row.getInt("fresh") == 1 ? ChangeType.NEW : ChangeType.CHANGED;
  }

  private static void apply(
      SqlSession session, Group group, FollowUp followUp, List<HashedRecord> due, long seq)
      throws SQLException {
    List<HashedRecord> last = List.copyOf(ReduceSql.lastOfEach(due));
    int most = session.dialect().longestArray();
    for (int from = 0; from < last.size(); from += most) {
      applyChunk(session, group, followUp, ReduceSql.chunk(last, from, most), seq);
    }
  }

  private static void applyChunk(
      SqlSession session, Group group, FollowUp followUp, List<HashedRecord> items, long seq)
      throws SQLException {
    switch (followUp) {
      case FollowUp.None none ->
          session.update(
              ReduceSql.MARK,
              group
                  .in(Params.none().texts("keys", items, HashedRecord::keyHash))
                  .set("deletedSeq", group.baseSeq())
                  .set("at", group.now));
      case FollowUp.DryRun dryRun -> {}
      case FollowUp.Reserve reserve ->
          session.update(
              ReduceSql.RESERVE,
              group
                  .in(ReduceSql.items(items))
                  .set("owner", reserve.owner())
                  .set("deletedSeq", group.baseSeq())
                  .set("at", group.now)
                  .set(
                      "until", ColumnTimes.truncate(TimeLimits.after(group.now, reserve.lease()))));
      case FollowUp.CommitNow commitNow ->
          session.update(
              ReduceSql.COMMIT,
              group
                  .in(ReduceSql.items(items).longs("seqs", items, hashedRecord -> seq))
                  .set("at", group.now)
                  .set("executionId", commitNow.executionId()));
    }
  }

  private static List<MissingRecord> stored(SqlSession session, Group group) throws SQLException {
    return session.query(
        ReduceSql.STORED,
        group.params(),
        row -> new MissingRecord(row.getString("key_hash"), row.getString("key_text")));
  }

  private static List<MissingRecord> missing(List<MissingRecord> stored, List<HashedRecord> items) {
    Set<String> there = new HashSet<>();
    items.forEach(hashedRecord -> there.add(hashedRecord.keyHash()));
    return stored.stream().filter(one -> !there.contains(one.keyHash())).toList();
  }

  @Override
  public boolean commit(Commit commit, @Nullable Fence fence) {
    return jdbc.transaction(
        "commit records",
        StatementTimeout.forRows(commit.tokens().size() + commit.forgotten().size()),
        session -> {
          if (!FenceSql.lockAndCheck(session, fence)) {
            return false;
          }
          write(session, commit);
          return true;
        });
  }

  /** Commits in the order in which all transactions lock several groups. */
  static void writeAttached(SqlSession session, List<AttachedRow<Commit>> rows)
      throws SQLException {
    List<Commit> sorted = new ArrayList<>();
    rows.forEach(row -> sorted.add(row.write()));
    sorted.sort(Comparator.comparing(Commit::group));
    for (Commit commit : sorted) {
      write(session, commit);
    }
  }

  private static void write(SqlSession session, Commit commit) throws SQLException {
    Group group = locked(session, commit.group());
    List<ReduceToken> valid =
        ReduceSql.newestOfEach(
            commit.tokens().stream().filter(t -> t.generation() == group.generation).toList());
    int most = session.dialect().longestArray();
    for (int from = 0; from < valid.size(); from += most) {
      session.update(
          ReduceSql.COMMIT,
          group
              .in(ReduceSql.tokens(ReduceSql.chunk(valid, from, most)))
              .set("at", group.now)
              .set("executionId", commit.executionId()));
    }
    forget(session, group, commit.forgotten());
  }

  static int forget(SqlSession session, Group group, List<String> keyHashes) throws SQLException {
    return update(session, ReduceSql.FORGET, group.params(), keyHashes);
  }

  /**
   * Updates the rows of some keys, with a statement for each part of them that fits into an array,
   * and with each key once.
   */
  static int update(SqlSession session, String statement, Params params, List<String> keyHashes)
      throws SQLException {
    int updated = 0;
    int most = session.dialect().longestArray();
    List<String> distinct = keyHashes.stream().distinct().toList();
    for (int from = 0; from < distinct.size(); from += most) {
      List<String> some = ReduceSql.chunk(distinct, from, most);
      updated += session.update(statement, params.texts("keys", some, key -> key));
    }
    return updated;
  }

  @Override
  public int release(String group, String owner, List<String> keyHashes) {
    return change(
        "release records",
        group,
        keyHashes.size(),
        (session, found) ->
            update(session, ReduceSql.RELEASE, found.params().set("owner", owner), keyHashes));
  }

  @Override
  public int reset(String group) {
    return jdbc.transaction(
        "reset a group of records",
        session -> {
          Group found = locked(session, ReduceGroup.checked(group));
          session.update(ReduceSql.NEXT_GENERATION, Params.of("id", found.id));
          return found.generation + 1;
        });
  }

  @Override
  public int forget(String group, List<String> keyHashes) {
    return change(
        "forget records",
        group,
        keyHashes.size(),
        (session, found) -> forget(session, found, keyHashes));
  }

  @Override
  public TrimResult trim(String group, @Nullable Duration retention, long most) {
    return jdbc.transaction(
        "forget old records",
        StatementTimeout.forRows(ROWS_PER_PART),
        session -> {
          jdbc.dialect().preferIndexOrder(session);
          Optional<Group> found = find(session, group, " FOR UPDATE");
          return found.isEmpty()
              ? TrimResult.NONE
              : new ReduceTrimmer(session, found.get()).trim(retention, most);
        });
  }

  @FunctionalInterface
  private interface Change {
    int of(SqlSession session, Group group) throws SQLException;
  }

  /** Changes a group's records. Returns 0 for an unknown group. */
  private int change(String action, String name, int rows, Change change) {
    return jdbc.transaction(
        action,
        StatementTimeout.forRows(rows),
        session -> {
          Optional<Group> group = find(session, name, " FOR UPDATE");
          return group.isEmpty() ? 0 : change.of(session, group.get());
        });
  }

  @Override
  public Optional<ReduceRecordState> record(String group, String keyHash) {
    return jdbc.run(
        "read a record",
        session -> {
          Optional<Group> found = find(session, group, "");
          return found.isEmpty()
              ? Optional.empty()
              : session.first(
                  ReduceSql.RECORD, found.get().params().set("key", keyHash), SqlReduceStore::read);
        });
  }

  private static ReduceRecordState read(ResultSet row) throws SQLException {
    String owner = row.getString("reserved_by");
    return new ReduceRecordState(
        row.getString("key_hash"),
        row.getString("key_text"),
        row.getString("value_hash"),
        row.getLong("source_seq"),
        ColumnTimes.readOrNull(row, "committed_at"),
        RowMappers.longOrNull(row, "committed_by"),
        owner == null
            ? null
            : new ReduceRecordState.Pending(
                owner, row.getString("pending_hash"), ColumnTimes.read(row, "reserved_until")));
  }

  @Override
  public Optional<ReduceGroup> find(String group) {
    return jdbc.run(
        "read a group of records",
        StatementTimeout.LONG,
        session -> {
          Optional<Group> found = find(session, group, "");
          return found.isEmpty() ? Optional.empty() : Optional.of(counted(session, found.get()));
        });
  }

  @Override
  public List<ReduceGroup> groups(@Nullable String after, int limit) {
    return jdbc.run(
        "list groups of records",
        StatementTimeout.LONG,
        session -> {
          List<ReduceGroup> groups = new ArrayList<>();
          for (Group group :
              session.query(
                  ReduceSql.GROUP + " WHERE name > :after ORDER BY name LIMIT :limit",
                  Params.of("after", after == null ? "" : after).set("limit", limit),
                  Group::read)) {
            groups.add(counted(session, group));
          }
          return groups;
        });
  }

  private static ReduceGroup counted(SqlSession session, Group group) throws SQLException {
    Counts counts = count(session, group);
    return new ReduceGroup(
        group.name,
        group.generation,
        counts.committed,
        counts.pending,
        group.created,
        group.modified);
  }

  private record Counts(long committed, long pending) {}

  private static Counts count(SqlSession session, Group group) throws SQLException {
    return session
        .query(
            ReduceSql.COUNT,
            group.params(),
            row -> new Counts(row.getLong("committed_count"), row.getLong("pending")))
        .getFirst();
  }

  @Override
  public int deleteObsolete(int limit) {
    return jdbc.transaction(
        "delete records of before a reset",
        session -> {
          List<ObsoleteRecord> obsolete =
              session.query(
                  ReduceSql.OBSOLETE, Params.of("limit", limit), SqlReduceStore::readObsolete);
          return obsolete.isEmpty()
              ? 0
              : session.update(
                  ReduceSql.DELETE_OBSOLETE,
                  Params.none()
                      .ints("ids", obsolete, ObsoleteRecord::groupId)
                      .ints("generations", obsolete, ObsoleteRecord::generation)
                      .texts("keys", obsolete, ObsoleteRecord::keyHash));
        });
  }

  private record ObsoleteRecord(int groupId, int generation, String keyHash) {}

  private static ObsoleteRecord readObsolete(ResultSet row) throws SQLException {
    return new ObsoleteRecord(
        row.getInt("group_id"), row.getInt("generation"), row.getString("key_hash"));
  }

  private static Optional<Group> find(SqlSession session, String name, String lock)
      throws SQLException {
    return session.first(
        ReduceSql.GROUP + " WHERE name = :name" + lock, Params.of("name", name), Group::read);
  }

  /** Locks and returns the group, which is created if missing. */
  private static Group locked(SqlSession session, String name) throws SQLException {
    Optional<Group> group = find(session, name, " FOR UPDATE");
    while (group.isEmpty()) {
      session.insertIfAbsent(ReduceSql.INSERT_GROUP, Params.of("name", name));
      group = find(session, name, " FOR UPDATE");
    }
    return group.get();
  }
}
