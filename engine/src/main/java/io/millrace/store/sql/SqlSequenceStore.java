package io.millrace.store.sql;

import io.millrace.instance.Page;
import io.millrace.store.SequenceStore;
import io.millrace.store.StoreException;
import io.millrace.store.TaskStore.ChangeResult;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sequences and their slot records in SQL; {@link FireWriter} fires slots, {@link
 * ExecutionEndWriter} records the ends of executions.
 */
final class SqlSequenceStore implements SequenceStore {

  private static final Logger LOG = LoggerFactory.getLogger(SqlSequenceStore.class);

  private static final int MAX_NAMED = 10;

  private static final String LOCK =
      "SELECT revision FROM millrace_sequence WHERE sequence_id = :id FOR UPDATE";

  private static final String INSERT =
      """
      INSERT INTO millrace_sequence (sequence_id, type, schedule_type, schedule, parameters,
        definition_version, executor_group, recurs, active, run_requested, restart, requested_by,
        paused_by, pause_reason, next_run_at, next_run_offset, due_at, last_ended_at, revision,
        created_at, modified_at)
      VALUES (:id, :type, :scheduleType, :schedule, :parameters, :definitionVersion, :group,
        :recurs, :active, :runRequested, :restart, :requestedBy, :pausedBy, :pauseReason, :nextRun,
        :nextRunOffset, :due, :lastEnded, 1, :now, :now)
      """;

  /**
   * Update of what users change. An execution no longer counts as resumed if its sequence is not
   * due now: the scheduler would find the mark only at a later slot.
   */
  private static final String UPDATE =
      """
      UPDATE millrace_sequence SET
        type = :type,
        schedule_type = :scheduleType,
        schedule = :schedule,
        parameters = :parameters,
        definition_version = :definitionVersion,
        executor_group = :group,
        recurs = :recurs,
        active = :active,
        run_requested = :runRequested,
        restart = :restart,
        requested_by = :requestedBy,
        paused_by = :pausedBy,
        pause_reason = :pauseReason,
        next_run_at = :nextRun,
        next_run_offset = :nextRunOffset,
        due_at = :due,
        resumed = CASE
          WHEN CAST(:due AS timestamp with time zone) <= :now THEN resumed ELSE FALSE END,
        revision = revision + 1,
        modified_at = :now
      WHERE sequence_id = :id
      """;

  private static final String INSERT_TASKS =
      """
      INSERT INTO millrace_sequence_task (sequence_id, task_id, position, next_task_id, parameters)
      SELECT CAST(:id AS varchar), v.task_id, v.position, v.next_task_id, v.parameters
      FROM UNNEST(CAST(:tasks AS integer ARRAY), CAST(:positions AS integer ARRAY),
        CAST(:nextTasks AS integer ARRAY), CAST(:parameters AS text ARRAY))
        AS v(task_id, position, next_task_id, parameters)
      """;

  private static final String DELETE_TASKS =
      "DELETE FROM millrace_sequence_task WHERE sequence_id = :id";

  private static final String DELETE = "DELETE FROM millrace_sequence WHERE sequence_id = :id";

  private static final String ADDED =
      "SELECT created_at FROM millrace_sequence WHERE sequence_id = :id";

  private static final String OPEN =
      """
      SELECT r.execution_id FROM millrace_slot_record r
      WHERE r.sequence_id = :id AND r.end_recorded = FALSE
        AND (SELECT w.id FROM millrace_instance w
          WHERE w.id = r.execution_id AND w.ended_at IS NULL) IS NOT NULL
      ORDER BY r.execution_id LIMIT :limit
      """;

  private static final String WITH_TASK =
      """
      SELECT DISTINCT sequence_id FROM millrace_sequence_task
      WHERE task_id = :task AND sequence_id > :after ORDER BY sequence_id LIMIT :limit
      """;

  /**
   * Condition for a slot record {@code r} that is true unless its sequence was removed and the
   * record has yet to go.
   */
  static final String IS_THERE =
      """
      (SELECT s.sequence_id FROM millrace_sequence s WHERE s.sequence_id = r.sequence_id) IS NOT NULL
      """;

  private static final String SLOT_RECORDS_OF =
      withRecords(
          """
          SELECT SLOT_RECORD FROM millrace_slot_record r
          WHERE r.sequence_id = :id AND IS_THERE
          ORDER BY r.slot_at DESC, r.id DESC LIMIT :limit
          """);

  private static final String SLOT_RECORDS_BEFORE =
      withRecords(
          """
          SELECT SLOT_RECORD FROM millrace_slot_record r
          WHERE r.sequence_id = :id AND (r.slot_at, r.id) < (:slot, :record) AND IS_THERE
          ORDER BY r.slot_at DESC, r.id DESC LIMIT :limit
          """);

  private static final String SLOT_RECORDS_BETWEEN =
      withRecords(
          """
          SELECT SLOT_RECORD FROM millrace_slot_record r
          WHERE r.slot_at >= :from AND r.slot_at < :to AND IS_THERE
          ORDER BY r.slot_at, r.id LIMIT :limit
          """);

  private static final String NEWEST_SLOT_RECORDS =
      withRecords(
          """
          SELECT SLOT_RECORD
          FROM UNNEST(CAST(:ids AS varchar ARRAY)) WITH ORDINALITY AS asked(sequence_id, place)
          CROSS JOIN LATERAL (SELECT * FROM millrace_slot_record g
            WHERE g.sequence_id = asked.sequence_id ORDER BY g.slot_at DESC, g.id DESC
            LIMIT :limit) r
          WHERE IS_THERE
          ORDER BY asked.place, r.slot_at DESC, r.id DESC
          """);

  private static final String NEXT_RUNS =
      """
      SELECT s.sequence_id, s.schedule, s.next_run_at, s.next_run_offset FROM millrace_sequence s
      LEFT JOIN millrace_slot_record r ON r.execution_id = s.execution_id
      LEFT JOIN millrace_instance w ON w.id = s.execution_id
      WHERE s.active = TRUE AND s.paused_by IS NULL AND s.next_run_at IS NOT NULL
        AND (s.restart = TRUE OR r.id IS NULL
          OR COALESCE(w.status, r.result, 'cancelled') NOT IN ('failed', 'cancelled', 'manual'))
      ORDER BY s.next_run_at, s.sequence_id LIMIT :limit
      """;

  private final Jdbc jdbc;
  private final NamedRemover remover;

  SqlSequenceStore(Jdbc jdbc) {
    this.jdbc = jdbc;
    this.remover = new NamedRemover(jdbc, SlotRecordRemover.SEQUENCE);
  }

  private static String withRecords(String sql) {
    return sql.replace("SLOT_RECORD", SequenceRows.SLOT_RECORD.strip())
        .replace("IS_THERE", IS_THERE.strip());
  }

  @Override
  public ChangeResult add(StoredSequence sequence) {
    return remover.beforeAdding(() ->
        SqlTaskStore.again(() ->
            jdbc.transaction(
                "add sequence '" + sequence.sequenceId() + "'",
                session -> add(session, sequence))));
  }

  private ChangeResult add(SqlSession session, StoredSequence sequence) throws SQLException {
    String id = sequence.sequenceId();
    if (lock(session, id).isPresent()) {
      return new ChangeResult.NameTaken(0);
    }
    SqlTaskStore.addType(session, sequence.type());
    session.update(INSERT, SequenceRows.params(sequence));
    remover.check(session, List.of(id));
    addTasks(session, sequence);
    return new ChangeResult.Done(0, 1);
  }

  @Override
  public ChangeResult update(StoredSequence sequence, List<SlotRecord> unfired) {
    return SqlTaskStore.again(() ->
        jdbc.transaction(
            "change sequence '" + sequence.sequenceId() + "'",
            session -> {
              Optional<Integer> revision = lock(session, sequence.sequenceId());
              if (revision.isEmpty()) {
                return new ChangeResult.Missing();
              }
              if (revision.get() != sequence.revision()) {
                return new ChangeResult.Stale(revision.get());
              }
              SqlTaskStore.addType(session, sequence.type());
              session.update(UPDATE, SequenceRows.params(sequence));
              session.update(DELETE_TASKS, Params.of("id", sequence.sequenceId()));
              addTasks(session, sequence);
              FireWriter.recordUnfired(session, sequence.sequenceId(), unfired);
              return new ChangeResult.Done(0, sequence.revision() + 1);
            }));
  }

  private static Optional<Integer> lock(SqlSession session, String sequenceId) throws SQLException {
    return session.first(LOCK, Params.of("id", sequenceId), row -> row.getInt("revision"));
  }

  private static void addTasks(SqlSession session, StoredSequence sequence) throws SQLException {
    List<StoredSequenceTask> sequenceTasks = sequence.sequenceTasks();
    if (!sequenceTasks.isEmpty()) {
      session.update(
          INSERT_TASKS,
          Params.of("id", sequence.sequenceId())
              .ints("tasks", sequenceTasks, StoredSequenceTask::taskId)
              .ints("positions", sequenceTasks, StoredSequenceTask::position)
              .ints("nextTasks", sequenceTasks, StoredSequenceTask::nextTask)
              .texts("parameters", sequenceTasks, StoredSequenceTask::parameters));
    }
  }

  @Override
  public ChangeResult remove(String sequenceId) {
    return jdbc.transaction(
        "remove sequence '" + sequenceId + "'",
        StatementTimeout.LONG,
        session -> {
          Optional<Integer> revision = lock(session, sequenceId);
          if (revision.isEmpty()) {
            return new ChangeResult.Missing();
          }
          Params params = Params.of("id", sequenceId).set("limit", MAX_NAMED);
          List<String> open =
              session.query(OPEN, params, row -> String.valueOf(row.getLong("execution_id")));
          if (!open.isEmpty()) {
            return new ChangeResult.InUse(open);
          }
          session.update(DELETE_TASKS, params);
          session.update(DELETE, params);
          remover.begin(session, sequenceId);
          return new ChangeResult.Done(0, revision.get());
        });
  }

  @Override
  public int resumeRemovals() {
    return remover.resume();
  }

  @Override
  public int deleteSlotRecords(Duration age, int limit) {
    return jdbc.transaction(
        "delete slot records",
        StatementTimeout.LONG,
        session -> SlotRecordRemover.deleteOld(session, age, limit));
  }

  @Override
  public Optional<StoredSequence> find(String sequenceId) {
    return jdbc
        .run("find a sequence", session -> SequenceRows.read(session, List.of(sequenceId)))
        .stream()
        .findFirst();
  }

  @Override
  public Optional<Instant> added(String sequenceId) {
    return jdbc.run(
        "read when a sequence was added",
        session ->
            session.first(
                ADDED,
                Params.of("id", sequenceId),
                row -> Objects.requireNonNull(SequenceRows.time(row, "created_at"))));
  }

  @Override
  public List<StoredSequence> list(
      @Nullable String type, @Nullable String text, @Nullable String after, int limit) {
    // The range in place of an equality makes PostgreSQL use the index of the type.
    String sql =
        "SELECT sequence_id FROM millrace_sequence WHERE TRUE"
            + (type == null ? "" : " AND type >= :type AND type <= :type")
            + (text == null ? "" : " AND LOWER(sequence_id) LIKE :text ESCAPE '!'")
            + (after == null ? "" : " AND sequence_id > :after")
            + " ORDER BY "
            + (type == null ? "" : "type, ")
            + "sequence_id LIMIT :limit";
    Params params =
        Params.of("type", type)
            .set("text", text == null ? null : containing(text))
            .set("after", after)
            .set("limit", limit);
    return jdbc.transaction(
        "list sequences",
        StatementTimeout.LONG,
        session -> {
          session.dialect().preferIndexOrder(session);
          return SequenceRows.read(
              session, session.query(sql, params, row -> row.getString("sequence_id")));
        });
  }

  @Override
  public List<StoredSequence> withTask(int taskId, @Nullable String after, int limit) {
    Params params =
        Params.of("task", taskId).set("after", after == null ? "" : after).set("limit", limit);
    return jdbc.transaction(
        "list sequences with a task",
        StatementTimeout.LONG,
        session ->
            SequenceRows.read(
                session, session.query(WITH_TASK, params, row -> row.getString("sequence_id"))));
  }

  private static String containing(String text) {
    String escaped = text.toLowerCase(Locale.ROOT).replaceAll("[!%_]", "!$0");
    return "%" + escaped + "%";
  }

  @Override
  public FireBatchResult fireDue(String executorGroup, int limit, Planner planner) {
    try {
      return jdbc.transaction(
          "fire schedules",
          StatementTimeout.forRows(limit),
          session -> FireWriter.fireDue(session, executorGroup, limit, planner));
    } catch (StoreException e) {
      if (e.rejected() || e.blocked()) {
        return fireEach(executorGroup, limit, planner);
      }
      throw e;
    }
  }

  /** Fires each sequence in its own transaction, so that a blocked one does not delay others. */
  private FireBatchResult fireEach(String group, int limit, Planner planner) {
    List<String> due =
        jdbc.run("list due sequences", session -> FireWriter.due(session, group, limit));
    Map<String, Long> executions = new HashMap<>();
    for (String id : due) {
      try {
        FireBatchResult result =
            jdbc.transaction(
                "fire sequence '" + id + "'",
                session -> FireWriter.fireIfDue(session, group, id, planner));
        executions.putAll(result.executions());
      } catch (StoreException e) {
        if (!e.rejected() && !e.blocked()) {
          throw e;
        }
        LOG.warn("Sequence '{}' is not fired, and tried again later: {}", id, e.getMessage());
        jdbc.run("put a sequence off", session -> FireWriter.putOff(session, List.of(id)));
      }
    }
    return new FireBatchResult(due.size(), due.size() == limit, executions);
  }

  @Override
  public FireResult writeFire(FirePlan firePlan) {
    return jdbc.transaction(
        "fire sequence '" + firePlan.sequenceId() + "'",
        session -> FireWriter.writeFire(session, firePlan));
  }

  @Override
  public int recordEnds(int limit) {
    return jdbc.transaction(
        "record the ends of executions",
        StatementTimeout.forRows(limit),
        session -> ExecutionEndWriter.recordEnds(session, limit));
  }

  @Override
  public Optional<Instant> nextDue(String executorGroup) {
    return jdbc.run(
        "read when the next sequence is due",
        session -> FireWriter.nextDue(session, executorGroup));
  }

  @Override
  public List<StoredSlotRecord> slotRecords(
      String sequenceId, @Nullable SlotRecordCursor before, int limit) {
    Params params = Params.of("id", sequenceId).set("limit", limit);
    if (before != null) {
      params.set("slot", SequenceRows.kept(before.slot())).set("record", before.recordId());
    }
    return jdbc.run(
        "list the slot records of a sequence",
        session ->
            session.query(
                before == null ? SLOT_RECORDS_OF : SLOT_RECORDS_BEFORE,
                params,
                SequenceRows::slotRecord));
  }

  @Override
  public List<StoredSlotRecord> newestSlotRecords(List<String> sequenceIds, int each) {
    return sequenceIds.isEmpty()
        ? List.of()
        : jdbc.run(
            "list the newest slot records of sequences",
            StatementTimeout.LONG,
            session -> newestSlotRecords(session, sequenceIds, each));
  }

  private static List<StoredSlotRecord> newestSlotRecords(
      SqlSession session, List<String> ids, int each) throws SQLException {
    if (session.dialect().hasCorrelatedFrom()) {
      Params params = Params.of("limit", each).texts("ids", ids, id -> id);
      return session.query(NEWEST_SLOT_RECORDS, params, SequenceRows::slotRecord);
    }
    List<StoredSlotRecord> newest = new ArrayList<>();
    for (String id : ids) {
      Params params = Params.of("id", id).set("limit", each);
      newest.addAll(session.query(SLOT_RECORDS_OF, params, SequenceRows::slotRecord));
    }
    return newest;
  }

  @Override
  public List<NextRun> nextRuns(int limit) {
    return jdbc.run(
        "list the next runs of sequences",
        StatementTimeout.LONG,
        session -> session.query(NEXT_RUNS, Params.of("limit", limit), SequenceRows::nextRun));
  }

  @Override
  public List<StoredSlotRecord> slotRecordsBetween(Instant from, Instant to, int limit) {
    Params params =
        Params.of("from", SequenceRows.kept(from))
            .set("to", SequenceRows.kept(to))
            .set("limit", limit);
    return jdbc.run(
        "list slot records",
        StatementTimeout.LONG,
        session -> session.query(SLOT_RECORDS_BETWEEN, params, SequenceRows::slotRecord));
  }

  @Override
  public Page<TaskVisit> history(@Nullable String sequenceId, @Nullable String cursor, int limit) {
    TaskVisitReader.Cursor after = TaskVisitReader.Cursor.parse(cursor);
    return jdbc.run(
        "list the visits of tasks",
        StatementTimeout.LONG,
        session -> TaskVisitReader.read(session, sequenceId, after, limit));
  }
}
