package io.millrace.store.sql;

import io.millrace.data.ChangeType;
import io.millrace.data.ReduceGroup;
import io.millrace.data.ReduceRecord;
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

/** Hashes of records. A group's row is locked by whoever writes its records. */
final class SqlReductions implements ReduceStore {

  private final Jdbc jdbc;

  SqlReductions(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  private record Group(
      int id,
      String name,
      int generation,
      long sourceSeq,
      Instant created,
      Instant modified,
      Instant now) {
    static Group read(ResultSet row) throws SQLException {
      return new Group(
          row.getInt("id"),
          row.getString("name"),
          row.getInt("generation"),
          row.getLong("source_seq"),
          Times.read(row, "created"),
          Times.read(row, "modified"),
          Times.read(row, "now"));
    }

    /** What has no records. */
    static Group none() {
      return new Group(0, "", 1, 0, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH);
    }

    Params in(Params params) {
      return params.set("id", id).set("generation", generation);
    }

    Params params() {
      return in(Params.none());
    }
  }

  @Override
  public Optional<Compared> compare(Comparison comparison, @Nullable Fence fence) {
    return jdbc.transaction(
        "compare records",
        Limit.forRows(comparison.items().size()),
        session ->
            Fences.hold(session, fence)
                ? Optional.of(compare(session, comparison))
                : Optional.empty());
  }

  private static Compared compare(Session session, Comparison comparison) throws SQLException {
    if (comparison.then() instanceof Then.Look) {
      Group group = find(session, comparison.group(), "").orElseGet(Group::none);
      return compare(session, comparison, group);
    }
    Group group = locked(session, comparison.group());
    session.update(ReduceSql.NEXT_SEQ, Params.of("id", group.id));
    return compare(session, comparison, group);
  }

  private static Compared compare(Session session, Comparison comparison, Group group)
      throws SQLException {
    List<Item> items = comparison.items();
    String owner = comparison.then() instanceof Then.Reserve reserve ? reserve.owner() : "";
    List<ChangeType> changes =
        new ArrayList<>(Collections.nCopies(items.size(), ChangeType.UNCHANGED));
    List<String> bases = new ArrayList<>(Collections.nCopies(items.size(), ""));
    int most = session.dialect().longestArray();
    for (int from = 0; from < items.size(); from += most) {
      int first = from;
      session.visit(
          ReduceSql.COMPARE,
          group
              .in(ReduceSql.compared(ReduceSql.chunk(items, from, most)))
              .set("owner", owner)
              .set("at", group.now),
          row -> {
            int place = first + row.getInt("place");
            changes.set(place, change(row));
            bases.set(place, Compared.base(row.getLong("base_seq"), row.getString("base_hash")));
          });
    }
    List<Missing> stored = comparison.full() ? stored(session, group) : List.of();
    if (!(comparison.then() instanceof Then.Look)) {
      fillKeys(session, group, stored, items);
    }
    long count = comparison.full() ? stored.size() : count(session, group).committed();
    List<Item> due =
        IntStream.range(0, items.size())
            .filter(i -> changes.get(i).isDue())
            .mapToObj(items::get)
            .toList();
    long seq = group.sourceSeq + 1;
    if (!due.isEmpty()) {
      apply(session, group, comparison.then(), due, seq);
    }
    return new Compared(
        group.generation,
        seq,
        changes,
        bases,
        count,
        comparison.full() ? missing(stored, items) : List.of());
  }

  private static void fillKeys(Session session, Group group, List<Missing> stored, List<Item> items)
      throws SQLException {
    Set<String> unnamed = new HashSet<>();
    stored.stream().filter(one -> one.keyText() == null).forEach(one -> unnamed.add(one.keyHash()));
    List<Item> named =
        items.stream()
            .filter(item -> item.keyText() != null && unnamed.remove(item.keyHash()))
            .toList();
    int most = session.dialect().longestArray();
    for (int from = 0; from < named.size(); from += most) {
      List<Item> some = ReduceSql.chunk(named, from, most);
      session.update(
          ReduceSql.FILL_KEYS,
          group.in(
              Params.none()
                  .texts("keys", some, Item::keyHash)
                  .texts("texts", some, Item::keyText)));
    }
  }

  private static ChangeType change(ResultSet row) throws SQLException {
    if (row.getInt("reserved") == 1) {
      return ChangeType.RESERVED;
    }
    return row.getInt("fresh") == 1 ? ChangeType.NEW : ChangeType.CHANGED;
  }

  private static void apply(Session session, Group group, Then then, List<Item> due, long seq)
      throws SQLException {
    List<Item> last = List.copyOf(ReduceSql.lastOfEach(due));
    int most = session.dialect().longestArray();
    for (int from = 0; from < last.size(); from += most) {
      applyChunk(session, group, then, ReduceSql.chunk(last, from, most), seq);
    }
  }

  private static void applyChunk(
      Session session, Group group, Then then, List<Item> items, long seq) throws SQLException {
    switch (then) {
      case Then.Nothing nothing -> {}
      case Then.Look look -> {}
      case Then.Reserve reserve ->
          session.update(
              ReduceSql.RESERVE,
              group
                  .in(ReduceSql.items(items))
                  .set("owner", reserve.owner())
                  .set("until", Times.truncate(TimeLimits.after(group.now, reserve.lease()))));
      case Then.Settle settle ->
          session.update(
              ReduceSql.COMMIT,
              group
                  .in(ReduceSql.items(items).longs("seqs", items, item -> seq))
                  .set("at", group.now)
                  .set("executionId", settle.executionId()));
    }
  }

  private static List<Missing> stored(Session session, Group group) throws SQLException {
    return session.query(
        ReduceSql.STORED,
        group.params(),
        row -> new Missing(row.getString("key_hash"), row.getString("key_text")));
  }

  private static List<Missing> missing(List<Missing> stored, List<Item> items) {
    Set<String> there = new HashSet<>();
    items.forEach(item -> there.add(item.keyHash()));
    return stored.stream().filter(one -> !there.contains(one.keyHash())).toList();
  }

  @Override
  public boolean commit(Commit commit, @Nullable Fence fence) {
    return jdbc.transaction(
        "commit records",
        Limit.forRows(commit.tokens().size()),
        session -> {
          if (!Fences.hold(session, fence)) {
            return false;
          }
          write(session, commit);
          return true;
        });
  }

  /** Commits in the order in which all who write several groups lock them. */
  static void write(Session session, List<Commit> commits) throws SQLException {
    List<Commit> sorted = new ArrayList<>(commits);
    sorted.sort(Comparator.comparing(Commit::group));
    for (Commit commit : sorted) {
      write(session, commit);
    }
  }

  private static void write(Session session, Commit commit) throws SQLException {
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
    if (!commit.forgotten().isEmpty()) {
      session.update(
          ReduceSql.FORGET, group.in(Params.none().texts("keys", commit.forgotten(), key -> key)));
    }
  }

  @Override
  public int release(String group, String owner, List<String> keyHashes) {
    return change(
        "release records",
        group,
        (session, found) -> {
          Params params = found.params().set("owner", owner);
          return keyHashes.isEmpty()
              ? session.update(ReduceSql.RELEASE, params)
              : session.update(
                  ReduceSql.RELEASE + ReduceSql.SOME, params.texts("keys", keyHashes, key -> key));
        });
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
        (session, found) ->
            session.update(
                ReduceSql.FORGET, found.in(Params.none().texts("keys", keyHashes, key -> key))));
  }

  @Override
  public int trim(String group, @Nullable Duration retention, long most) {
    return change(
        "forget old records",
        group,
        (session, found) -> {
          int gone = 0;
          if (retention != null) {
            Instant before = Times.truncate(TimeLimits.before(found.now, retention));
            gone += session.update(ReduceSql.TRIM_OLD, found.params().set("before", before));
          }
          if (most > 0) {
            for (int forgotten = 0; forgotten <= 1; forgotten++) {
              gone +=
                  session.update(
                      ReduceSql.TRIM_MANY,
                      found.params().set("most", most).set("forgotten", forgotten));
            }
          }
          return gone;
        });
  }

  @FunctionalInterface
  private interface Change {
    int of(Session session, Group group) throws SQLException;
  }

  /** Changes a group's records; 0 for an unknown group. */
  private int change(String action, String name, Change change) {
    return jdbc.transaction(
        action,
        session -> {
          Optional<Group> group = find(session, name, " FOR UPDATE");
          return group.isEmpty() ? 0 : change.of(session, group.get());
        });
  }

  @Override
  public Optional<ReduceRecord> record(String group, String keyHash) {
    return jdbc.run(
        "read a record",
        session -> {
          Optional<Group> found = find(session, group, "");
          return found.isEmpty()
              ? Optional.empty()
              : session.first(
                  ReduceSql.RECORD, found.get().params().set("key", keyHash), SqlReductions::read);
        });
  }

  private static ReduceRecord read(ResultSet row) throws SQLException {
    String owner = row.getString("reserved_by");
    return new ReduceRecord(
        row.getString("key_hash"),
        row.getString("key_text"),
        row.getString("value_hash"),
        row.getLong("source_seq"),
        Times.readOrNull(row, "committed"),
        Rows.longOrNull(row, "committed_by"),
        owner == null
            ? null
            : new ReduceRecord.Pending(
                owner, row.getString("pending_hash"), Times.read(row, "reserved_until")));
  }

  @Override
  public Optional<ReduceGroup> find(String group) {
    return jdbc.run(
        "read a group of records",
        session -> {
          Optional<Group> found = find(session, group, "");
          return found.isEmpty() ? Optional.empty() : Optional.of(counted(session, found.get()));
        });
  }

  @Override
  public List<ReduceGroup> groups(@Nullable String after, int limit) {
    return jdbc.run(
        "list groups of records",
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

  private static ReduceGroup counted(Session session, Group group) throws SQLException {
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

  private static Counts count(Session session, Group group) throws SQLException {
    return session
        .query(
            ReduceSql.COUNT,
            group.params(),
            row -> new Counts(row.getLong("committed"), row.getLong("pending")))
        .getFirst();
  }

  @Override
  public int sweep(int limit) {
    return jdbc.transaction(
        "delete records of before a reset",
        session -> session.update(ReduceSql.SWEEP, Params.of("limit", limit)));
  }

  private static Optional<Group> find(Session session, String name, String lock)
      throws SQLException {
    return session.first(
        ReduceSql.GROUP + " WHERE name = :name" + lock, Params.of("name", name), Group::read);
  }

  /** The group, which is made when there is none. */
  private static Group locked(Session session, String name) throws SQLException {
    Optional<Group> group = find(session, name, " FOR UPDATE");
    while (group.isEmpty()) {
      session.insertIfAbsent(ReduceSql.INSERT_GROUP, Params.of("name", name));
      group = find(session, name, " FOR UPDATE");
    }
    return group.get();
  }
}
