package io.millrace.store.sql;

import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.Position;
import io.millrace.store.AttachedWrite;
import io.millrace.store.ExistingChildRules;
import io.millrace.store.Fence;
import io.millrace.store.NewInstance;
import io.millrace.store.SaveRequest;
import io.millrace.store.SaveResult;
import io.millrace.store.StartResult;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Writes transitions, each under its fence. */
final class TransitionWriter {

  /**
   * A transition that is being written.
   *
   * @param index its place in the request
   * @param children number of children that were started with it
   * @param consumed number of messages that it consumes
   */
  record IndexedSave(int index, SaveRequest save, int children, int consumed) {
    static IndexedSave of(int index, SaveRequest saveRequest) {
      return new IndexedSave(
          index, saveRequest, 0, new HashSet<>(saveRequest.changes().consumed()).size());
    }

    long id() {
      return save.fence().instanceId();
    }

    boolean ends() {
      return save.target().status().isTerminal();
    }

    boolean keeps() {
      return save.target().keepLease() && !ends();
    }

    /**
     * Returns true if other rows than those of the instance and its history are written, or may
     * have to be. Otherwise the save may be one statement.
     */
    boolean writesOtherRows() {
      SaveRequest.Changes changes = save.changes();
      return needsLock()
          || !changes.variables().isEmpty()
          || changes.failure() != null
          || !save.attached().isEmpty()
          || awaitsSignal();
    }

    /** Returns true if the write depends on rows that others change too. */
    boolean needsLock() {
      SaveRequest.Changes changes = save.changes();
      return !changes.children().isEmpty()
          || !changes.consumed().isEmpty()
          || (ends() && changes.parentId() != null);
    }

    /**
     * Returns true for the most common of the transitions that write no other rows: a handler's
     * answer that continues at once or ends the instance. It has a shorter statement.
     */
    boolean isPlain() {
      SaveRequest.Entry entry = save.entry();
      return entry.type() == HistoryEntryType.STATE_EXECUTION
          && entry.error() == null
          && entry.actor() == null
          && (keeps() || ends())
          && save.target().awaited() == null
          && save.changes().progress() == null
          && !writesOtherRows();
    }

    /** Returns true if all writes, at least one, are plain and of one executor. */
    static boolean arePlain(List<IndexedSave> writes) {
      long executorId = writes.getFirst().save().fence().executorId();
      return writes.stream()
          .allMatch(w -> w.isPlain() && w.save().fence().executorId() == executorId);
    }

    boolean awaitsSignal() {
      String waitingFor = save.target().waitingFor();
      return !ends() && waitingFor != null && !waitingFor.equals(Position.CHILDREN);
    }
  }

  private static final String LOCK =
      """
      SELECT id, executor_id, lease_version, seq FROM millrace_instance
      WHERE id = ANY(CAST(:ids AS bigint ARRAY)) ORDER BY id FOR UPDATE
      """;

  /**
   * Query for saves that succeeded although their reply was lost. It compares type and target state
   * too, since another save under the same fence may be the one that succeeded: the database may
   * commit a save after the client has seen an error. If a repetition was rejected meanwhile, the
   * client saves a failure instead, which must not count as saved then. The row of an instance is
   * removed only together with its history.
   */
  private static final String READ_BACK =
      """
      SELECT d.row_index, w.inbox_count, CASE WHEN w.executor_id = d.executor_id
          AND w.lease_version = d.lease_version AND w.seq = d.seq + 1 THEN TRUE ELSE FALSE END AS held
      FROM (SELECT d.* FROM UNNEST(CAST(:indexes AS integer ARRAY), CAST(:ids AS bigint ARRAY),
                  CAST(:executorIds AS bigint ARRAY), CAST(:leaseVersions AS integer ARRAY),
                  CAST(:seqs AS integer ARRAY), CAST(:types AS varchar ARRAY),
                  CAST(:states AS varchar ARRAY))
        AS d(row_index, id, executor_id, lease_version, seq, type, state)
      """
          + Params.EXPECT_FEW
          + """
          ) d JOIN millrace_instance w ON w.id = d.id
          JOIN millrace_history a ON a.instance_id = d.id AND a.seq = d.seq + 1
          WHERE a.executor_id = d.executor_id AND a.lease_version = d.lease_version
            AND a.type = d.type AND a.to_state = d.state
          """;

  private static final String KNOWN =
      """
      SELECT id, external_id, parent_id FROM millrace_instance
      WHERE id = ANY(CAST(:ids AS bigint ARRAY))
      """;

  private final Jdbc jdbc;
  private final Dialect dialect;

  TransitionWriter(Jdbc jdbc) {
    this.jdbc = jdbc;
    this.dialect = jdbc.dialect();
  }

  List<SaveResult> save(List<SaveRequest> saves) {
    if (saves.isEmpty()) {
      return List.of();
    }
    saves.forEach(jdbc.hooks()::requireWriters);
    int children =
        saves.stream().mapToInt(saveRequest -> saveRequest.changes().children().size()).sum();
    StatementTimeout statementTimeout = StatementTimeout.forRows(saves.size() + children);
    List<List<IndexedSave>> rounds = rounds(writes(saves));
    Map<Integer, SaveResult> results =
        isOneStatement(rounds)
            ? jdbc.run(
                "save transitions",
                statementTimeout,
                session -> writeOneStatement(session, rounds.getFirst()))
            : jdbc.transaction(
                "save transitions", statementTimeout, session -> writeRounds(session, rounds));
    return IntStream.range(0, saves.size())
        .mapToObj(i -> results.getOrDefault(i, new SaveResult.Fenced()))
        .toList();
  }

  private static List<IndexedSave> writes(List<SaveRequest> saves) {
    return IntStream.range(0, saves.size()).mapToObj(i -> IndexedSave.of(i, saves.get(i))).toList();
  }

  private boolean isOneStatement(List<List<IndexedSave>> rounds) {
    return dialect.writesInOneStatement()
        && rounds.size() == 1
        && rounds.getFirst().stream().noneMatch(IndexedSave::writesOtherRows);
  }

  /**
   * Splits writes so that each instance occurs once in a round; each round is sorted by instance.
   */
  private static List<List<IndexedSave>> rounds(List<IndexedSave> writes) {
    List<List<IndexedSave>> rounds = new ArrayList<>();
    List<IndexedSave> rest = writes;
    while (!rest.isEmpty()) {
      Set<Long> seen = new HashSet<>();
      List<IndexedSave> round = new ArrayList<>();
      List<IndexedSave> later = new ArrayList<>();
      for (IndexedSave indexedSave : rest) {
        (seen.add(indexedSave.id()) ? round : later).add(indexedSave);
      }
      round.sort(Comparator.comparingLong(IndexedSave::id));
      rounds.add(round);
      rest = later;
    }
    return rounds;
  }

  private Map<Integer, SaveResult> writeRounds(SqlSession session, List<List<IndexedSave>> rounds)
      throws SQLException {
    Map<Integer, SaveResult> results = new HashMap<>();
    for (List<IndexedSave> round : rounds) {
      results.putAll(round(session, round));
    }
    return results;
  }

  private Map<Integer, SaveResult> writeOneStatement(SqlSession session, List<IndexedSave> writes)
      throws SQLException {
    return answers(session, writes, dialect.write(session, writes));
  }

  private Map<Integer, SaveResult> round(SqlSession session, List<IndexedSave> writes)
      throws SQLException {
    List<IndexedSave> candidates = writes;
    if (writes.stream().anyMatch(IndexedSave::needsLock)) {
      candidates = withChildren(session, withValidFence(writes, lock(session, writes)));
    }
    if (candidates.isEmpty()) {
      return answers(session, writes, Map.of());
    }
    Map<Long, Integer> inboxCounts = new HashMap<>(dialect.write(session, candidates));
    List<IndexedSave> accepted =
        candidates.stream().filter(w -> inboxCounts.containsKey(w.id())).toList();
    changeVariables(session, accepted);
    FailureFingerprintWriter.write(session, accepted);
    writeAttached(session, accepted);
    InboxMessages.consume(session, accepted, inboxCounts);
    InboxMessages.endWaits(
        session,
        accepted.stream()
            .filter(w -> w.awaitsSignal() && !w.keeps() && inboxCounts.getOrDefault(w.id(), 0) > 0)
            .map(IndexedSave::id)
            .toList());
    ChildCountWriter.updateParentsOf(session, accepted);
    return answers(session, writes, inboxCounts);
  }

  /**
   * Locks the rows of all instances and of their affected parents, in one order for all
   * transactions. Returns the numbers that they have, by instance.
   */
  private static Map<Long, Fence> lock(SqlSession session, List<IndexedSave> writes)
      throws SQLException {
    Set<Long> ids = new HashSet<>();
    for (IndexedSave indexedSave : writes) {
      ids.add(indexedSave.id());
      Long parentId = indexedSave.save().changes().parentId();
      if (parentId != null && indexedSave.ends()) {
        ids.add(parentId);
      }
    }
    Map<Long, Fence> rows = new HashMap<>();
    session.forEachRow(
        LOCK,
        Params.none().longs("ids", ids.stream().sorted().toList()),
        row -> {
          long id = row.getLong("id");
          rows.put(
              id,
              new Fence(
                  id, row.getLong("executor_id"), row.getInt("lease_version"), row.getInt("seq")));
        });
    return rows;
  }

  /** Returns the saves whose fence holds; {@link FenceSql} has the same condition in SQL. */
  private static List<IndexedSave> withValidFence(List<IndexedSave> writes, Map<Long, Fence> rows) {
    return writes.stream()
        .filter(indexedSave -> indexedSave.save().fence().equals(rows.get(indexedSave.id())))
        .toList();
  }

  /**
   * Starts the children of all writes in one call, and adds to each write the number of its own.
   */
  private List<IndexedSave> withChildren(SqlSession session, List<IndexedSave> writes)
      throws SQLException {
    List<NewInstance> children =
        writes.stream()
            .flatMap(indexedSave -> indexedSave.save().changes().children().stream())
            .toList();
    if (children.isEmpty()) {
      return writes;
    }
    if (InstanceInserter.haveExternalIds(children)) {
      session.limitLockWait(InstanceInserter.BATCH_LOCK_WAIT);
    }
    List<StartResult> started = InstanceInserter.start(session, dialect, children);
    Map<Long, ExistingChildRules.ExistingChild> known = known(session, children, started);
    List<IndexedSave> counted = new ArrayList<>(writes.size());
    int next = 0;
    for (IndexedSave indexedSave : writes) {
      int end = next + indexedSave.save().changes().children().size();
      List<StartResult> own = started.subList(next, end);
      long created = own.stream().filter(StartResult.Created.class::isInstance).count();
      SaveRequest saveRequest =
          ExistingChildRules.noted(
              indexedSave.save(),
              own.stream().flatMap(one -> Stream.ofNullable(known.get(one.id()))).toList());
      counted.add(
          new IndexedSave(
              indexedSave.index(), saveRequest, Math.toIntExact(created), indexedSave.consumed()));
      next = end;
    }
    return counted;
  }

  /** Finds the children that existed before, by id; fails if one has another payload. */
  private static Map<Long, ExistingChildRules.ExistingChild> known(
      SqlSession session, List<NewInstance> children, List<StartResult> started)
      throws SQLException {
    Map<Long, ExistingChildRules.ExistingChild> known = new HashMap<>();
    Set<Long> ids = new HashSet<>();
    for (int i = 0; i < started.size(); i++) {
      if (started.get(i) instanceof StartResult.Existing existing) {
        if (!existing.samePayload()) {
          throw ExistingChildRules.conflict(children.get(i), existing.id());
        }
        ids.add(existing.id());
      }
    }
    started.stream()
        .filter(StartResult.Created.class::isInstance)
        .forEach(one -> ids.remove(one.id()));
    if (!ids.isEmpty()) {
      session.forEachRow(
          KNOWN,
          Params.none().longs("ids", ids),
          row -> {
            long id = row.getLong("id");
            String externalId = row.getString("external_id");
            known.put(
                id,
                new ExistingChildRules.ExistingChild(
                    externalId, id, RowMappers.longOrNull(row, "parent_id")));
          });
    }
    return known;
  }

  private static void changeVariables(SqlSession session, List<IndexedSave> writes)
      throws SQLException {
    List<VariableWriter.Variable> changed = new ArrayList<>();
    for (IndexedSave indexedSave : writes) {
      changed.addAll(VariableWriter.of(indexedSave.id(), indexedSave.save().changes().variables()));
    }
    VariableWriter.change(session, changed);
  }

  private static void writeAttached(SqlSession session, List<IndexedSave> writes)
      throws SQLException {
    List<AttachedRow<?>> rows = new ArrayList<>();
    for (IndexedSave indexedSave : writes) {
      SaveRequest save = indexedSave.save();
      for (AttachedWrite write : save.attached()) {
        rows.add(
            new AttachedRow<>(
                indexedSave.id(), save.fence().seq() + 1, save.target().state(), write));
      }
    }
    session.hooks().writeAttached(session, rows);
  }

  private static Map<Integer, SaveResult> answers(
      SqlSession session, List<IndexedSave> writes, Map<Long, Integer> inboxCounts)
      throws SQLException {
    Map<Integer, SaveResult> answers = new HashMap<>();
    List<IndexedSave> doubtful = new ArrayList<>();
    for (IndexedSave indexedSave : writes) {
      Integer inboxCount = inboxCounts.get(indexedSave.id());
      if (inboxCount == null) {
        doubtful.add(indexedSave);
      } else {
        answers.put(indexedSave.index(), new SaveResult.Saved(inboxCount, indexedSave.keeps()));
      }
    }
    answers.putAll(readBack(session, doubtful));
    return answers;
  }

  /**
   * Returns the results of writes whose reply was lost. Writes that came too late get no result
   * here.
   */
  private static Map<Integer, SaveResult> readBack(SqlSession session, List<IndexedSave> writes)
      throws SQLException {
    Map<Integer, SaveResult> answers = new HashMap<>();
    if (!writes.isEmpty()) {
      session.forEachRow(
          READ_BACK,
          Params.none()
              .ints("indexes", writes, IndexedSave::index)
              .longs("ids", writes, IndexedSave::id)
              .longs("executorIds", writes, indexedSave -> indexedSave.save().fence().executorId())
              .ints(
                  "leaseVersions", writes, indexedSave -> indexedSave.save().fence().leaseVersion())
              .ints("seqs", writes, indexedSave -> indexedSave.save().fence().seq())
              .texts("types", writes, indexedSave -> indexedSave.save().entry().type().code())
              .texts("states", writes, indexedSave -> indexedSave.save().target().state()),
          row ->
              answers.put(
                  row.getInt("row_index"),
                  new SaveResult.Saved(row.getInt("inbox_count"), row.getBoolean("held"))));
    }
    return answers;
  }
}
