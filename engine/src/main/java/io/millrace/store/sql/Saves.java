package io.millrace.store.sql;

import io.millrace.instance.ActionType;
import io.millrace.instance.Position;
import io.millrace.store.Fence;
import io.millrace.store.KnownChildren;
import io.millrace.store.NewInstance;
import io.millrace.store.Save;
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
final class Saves {

  /**
   * A transition on its way into the database.
   *
   * @param index its place in the request
   * @param children how many were really started with it
   * @param consumed how many messages it uses up
   */
  record Write(int index, Save save, int children, int consumed) {
    static Write of(int index, Save save) {
      return new Write(index, save, 0, new HashSet<>(save.changes().consumed()).size());
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
     * True when other rows than those of the instance and its history are written, or may have to
     * be.
     */
    boolean isWide() {
      Save.Changes changes = save.changes();
      return needsLock()
          || !changes.variables().isEmpty()
          || changes.failure() != null
          || save.handover() != null
          || save.attached() != null
          || awaitsSignal();
    }

    /** True when what must be written depends on rows that others change too. */
    boolean needsLock() {
      Save.Changes changes = save.changes();
      return !changes.children().isEmpty()
          || !changes.consumed().isEmpty()
          || (ends() && changes.parentId() != null);
    }

    /**
     * True for what most steps are: a handler's answer that goes on at once or ends the instance,
     * and changes nothing else.
     */
    boolean isPlain() {
      Save.Entry entry = save.entry();
      return entry.type() == ActionType.STATE_EXECUTION
          && entry.error() == null
          && entry.actor() == null
          && (keeps() || ends())
          && save.target().awaited() == null
          && save.changes().progress() == null
          && !isWide();
    }

    /** True when all, of which there is at least one, are plain and of one executor. */
    static boolean arePlain(List<Write> writes) {
      long executorId = writes.getFirst().save().fence().executorId();
      return writes.stream()
          .allMatch(w -> w.isPlain() && w.save().fence().executorId() == executorId);
    }

    boolean awaitsSignal() {
      String waitingFor = save.target().waitingFor();
      return !ends() && waitingFor != null && !waitingFor.equals(Position.CHILDREN);
    }
  }

  private record Row(long executorId, int leaseVersion, int seq) {}

  private static final String LOCK =
      """
      SELECT id, executor_id, lease_version, seq FROM millrace_workflow
      WHERE id = ANY(CAST(:ids AS bigint ARRAY)) ORDER BY id FOR UPDATE
      """;

  /**
   * What was written must be what was to be written: a refused save is followed by another one
   * under the same fence, and may be carried out late. The row may be gone from under its history
   * only together with it.
   */
  private static final String READ_BACK =
      """
      SELECT d.row_index, w.inbox, CASE WHEN w.executor_id = d.executor_id
          AND w.lease_version = d.lease_version AND w.seq = d.seq + 1 THEN TRUE ELSE FALSE END AS held
      FROM (SELECT d.* FROM UNNEST(CAST(:indexes AS integer ARRAY), CAST(:ids AS bigint ARRAY),
                  CAST(:executorIds AS bigint ARRAY), CAST(:leaseVersions AS integer ARRAY),
                  CAST(:seqs AS integer ARRAY), CAST(:types AS varchar ARRAY),
                  CAST(:states AS varchar ARRAY))
        AS d(row_index, id, executor_id, lease_version, seq, type, state)
      """
          + Params.LOOKED_UP
          + """
          ) d JOIN millrace_workflow w ON w.id = d.id
          JOIN millrace_workflow_action a ON a.workflow_id = d.id AND a.seq = d.seq + 1
          WHERE a.executor_id = d.executor_id AND a.lease_version = d.lease_version
            AND a.type = d.type AND a.to_state = d.state
          """;

  private static final String KNOWN =
      """
      SELECT id, external_id, parent_id FROM millrace_workflow
      WHERE id = ANY(CAST(:ids AS bigint ARRAY))
      """;

  private final Jdbc jdbc;
  private final Dialect dialect;

  Saves(Jdbc jdbc) {
    this.jdbc = jdbc;
    this.dialect = jdbc.dialect();
  }

  List<SaveResult> save(List<Save> saves) {
    if (saves.isEmpty()) {
      return List.of();
    }
    int children = saves.stream().mapToInt(save -> save.changes().children().size()).sum();
    Limit limit = Limit.forRows(saves.size() + children);
    List<List<Write>> rounds = rounds(writes(saves));
    Map<Integer, SaveResult> results =
        isNarrow(rounds)
            ? jdbc.run("save transitions", limit, session -> narrow(session, rounds.getFirst()))
            : jdbc.transaction("save transitions", limit, session -> wide(session, rounds));
    return IntStream.range(0, saves.size())
        .mapToObj(i -> results.getOrDefault(i, new SaveResult.Fenced()))
        .toList();
  }

  private static List<Write> writes(List<Save> saves) {
    return IntStream.range(0, saves.size()).mapToObj(i -> Write.of(i, saves.get(i))).toList();
  }

  private boolean isNarrow(List<List<Write>> rounds) {
    return dialect.writesInOneStatement()
        && rounds.size() == 1
        && rounds.getFirst().stream().noneMatch(Write::isWide);
  }

  /**
   * Splits writes so that each instance comes once in a round; each round is sorted by instance.
   */
  private static List<List<Write>> rounds(List<Write> writes) {
    List<List<Write>> rounds = new ArrayList<>();
    List<Write> rest = writes;
    while (!rest.isEmpty()) {
      Set<Long> seen = new HashSet<>();
      List<Write> round = new ArrayList<>();
      List<Write> later = new ArrayList<>();
      for (Write write : rest) {
        (seen.add(write.id()) ? round : later).add(write);
      }
      round.sort(Comparator.comparingLong(Write::id));
      rounds.add(round);
      rest = later;
    }
    return rounds;
  }

  private Map<Integer, SaveResult> wide(Session session, List<List<Write>> rounds)
      throws SQLException {
    Map<Integer, SaveResult> results = new HashMap<>();
    for (List<Write> round : rounds) {
      results.putAll(round(session, round));
    }
    return results;
  }

  private Map<Integer, SaveResult> narrow(Session session, List<Write> writes) throws SQLException {
    return answers(session, writes, dialect.write(session, writes));
  }

  private Map<Integer, SaveResult> round(Session session, List<Write> writes) throws SQLException {
    List<Write> candidates = writes;
    if (writes.stream().anyMatch(Write::needsLock)) {
      candidates = withChildren(session, unfenced(writes, lock(session, writes)));
    }
    if (candidates.isEmpty()) {
      return answers(session, writes, Map.of());
    }
    Map<Long, Integer> inboxes = new HashMap<>(dialect.write(session, candidates));
    List<Write> accepted = candidates.stream().filter(w -> inboxes.containsKey(w.id())).toList();
    changeVariables(session, accepted);
    Failures.write(session, accepted);
    Outbox.write(session, accepted);
    Attachments.write(session, accepted);
    Messages.consume(session, accepted, inboxes);
    Messages.endWaits(
        session,
        accepted.stream()
            .filter(w -> w.awaitsSignal() && !w.keeps() && inboxes.getOrDefault(w.id(), 0) > 0)
            .map(Write::id)
            .toList());
    Parents.tellEnds(session, accepted);
    return answers(session, writes, inboxes);
  }

  /**
   * Locks the rows of all instances and of the parents they touch, in one order for all
   * transactions.
   */
  private static Map<Long, Row> lock(Session session, List<Write> writes) throws SQLException {
    Set<Long> ids = new HashSet<>();
    for (Write write : writes) {
      ids.add(write.id());
      Long parentId = write.save().changes().parentId();
      if (parentId != null && write.ends()) {
        ids.add(parentId);
      }
    }
    Map<Long, Row> rows = new HashMap<>();
    session.visit(
        LOCK,
        Params.none().longs("ids", ids.stream().sorted().toList()),
        row ->
            rows.put(
                row.getLong("id"),
                new Row(
                    row.getLong("executor_id"), row.getInt("lease_version"), row.getInt("seq"))));
    return rows;
  }

  private static List<Write> unfenced(List<Write> writes, Map<Long, Row> rows) {
    return writes.stream()
        .filter(write -> {
          Fence fence = write.save().fence();
          return new Row(fence.executorId(), fence.leaseVersion(), fence.seq())
              .equals(rows.get(fence.instanceId()));
        })
        .toList();
  }

  /** Starts the children of all writes at once; each write then knows how many are its own. */
  private List<Write> withChildren(Session session, List<Write> writes) throws SQLException {
    List<NewInstance> children =
        writes.stream().flatMap(write -> write.save().changes().children().stream()).toList();
    if (children.isEmpty()) {
      return writes;
    }
    if (Starts.haveExternalIds(children)) {
      session.limitLockWait(Starts.BATCH_LOCK_WAIT);
    }
    List<StartResult> started = Starts.start(session, dialect, children);
    Map<Long, KnownChildren.Known> known = known(session, children, started);
    List<Write> counted = new ArrayList<>(writes.size());
    int next = 0;
    for (Write write : writes) {
      int end = next + write.save().changes().children().size();
      List<StartResult> own = started.subList(next, end);
      long created = own.stream().filter(StartResult.Created.class::isInstance).count();
      Save save =
          KnownChildren.noted(
              write.save(),
              own.stream().flatMap(one -> Stream.ofNullable(known.get(one.id()))).toList());
      counted.add(new Write(write.index(), save, Math.toIntExact(created), write.consumed()));
      next = end;
    }
    return counted;
  }

  /** Finds the children that existed before, by id; fails if one has another payload. */
  private static Map<Long, KnownChildren.Known> known(
      Session session, List<NewInstance> children, List<StartResult> started) throws SQLException {
    Map<Long, KnownChildren.Known> known = new HashMap<>();
    Set<Long> ids = new HashSet<>();
    for (int i = 0; i < started.size(); i++) {
      if (started.get(i) instanceof StartResult.Existing existing) {
        if (!existing.samePayload()) {
          throw KnownChildren.conflict(children.get(i), existing.id());
        }
        ids.add(existing.id());
      }
    }
    started.stream()
        .filter(StartResult.Created.class::isInstance)
        .forEach(one -> ids.remove(one.id()));
    if (!ids.isEmpty()) {
      session.visit(
          KNOWN,
          Params.none().longs("ids", ids),
          row -> {
            long id = row.getLong("id");
            String externalId = row.getString("external_id");
            known.put(
                id, new KnownChildren.Known(externalId, id, Rows.longOrNull(row, "parent_id")));
          });
    }
    return known;
  }

  private static void changeVariables(Session session, List<Write> writes) throws SQLException {
    List<Variables.Variable> changed = new ArrayList<>();
    for (Write write : writes) {
      changed.addAll(Variables.of(write.id(), write.save().changes().variables()));
    }
    Variables.change(session, changed);
  }

  private static Map<Integer, SaveResult> answers(
      Session session, List<Write> writes, Map<Long, Integer> inboxes) throws SQLException {
    Map<Integer, SaveResult> answers = new HashMap<>();
    List<Write> doubtful = new ArrayList<>();
    for (Write write : writes) {
      Integer inbox = inboxes.get(write.id());
      if (inbox == null) {
        doubtful.add(write);
      } else {
        answers.put(write.index(), new SaveResult.Saved(inbox, write.keeps()));
      }
    }
    answers.putAll(readBack(session, doubtful));
    return answers;
  }

  /** Tells writes whose reply was lost from those that came too late, which get no answer here. */
  private static Map<Integer, SaveResult> readBack(Session session, List<Write> writes)
      throws SQLException {
    Map<Integer, SaveResult> answers = new HashMap<>();
    if (!writes.isEmpty()) {
      session.visit(
          READ_BACK,
          Params.none()
              .ints("indexes", writes, Write::index)
              .longs("ids", writes, Write::id)
              .longs("executorIds", writes, write -> write.save().fence().executorId())
              .ints("leaseVersions", writes, write -> write.save().fence().leaseVersion())
              .ints("seqs", writes, write -> write.save().fence().seq())
              .texts("types", writes, write -> write.save().entry().type().code())
              .texts("states", writes, write -> write.save().target().state()),
          row ->
              answers.put(
                  row.getInt("row_index"),
                  new SaveResult.Saved(row.getInt("inbox"), row.getBoolean("held"))));
    }
    return answers;
  }
}
