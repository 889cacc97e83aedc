package io.millrace.store.sql;

import io.millrace.instance.InstanceStatus;
import io.millrace.schedule.DataWindow;
import io.millrace.schedule.PlannedSlot;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.FiredSlot;
import io.millrace.store.SequenceStore.Flags;
import io.millrace.store.SequenceStore.LastExecution;
import io.millrace.store.SequenceStore.NextRun;
import io.millrace.store.SequenceStore.SequenceSpec;
import io.millrace.store.SequenceStore.SlotOutcome;
import io.millrace.store.SequenceStore.SlotRecord;
import io.millrace.store.SequenceStore.StartObstacle;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.SequenceStore.StoredSequenceTask;
import io.millrace.store.SequenceStore.StoredSlotRecord;
import io.millrace.store.SequenceStore.TaskPosition;
import io.millrace.store.SequenceStore.TaskVisit;
import io.millrace.store.SequenceStore.VisitTimes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A reader of sequences with their tasks and newest execution, and of their slot records. */
final class SequenceRows {

  /**
   * Query for sequences with their newest executions. A message to an earlier state of an execution
   * does not count.
   */
  private static final String BY_IDS =
      """
      SELECT s.sequence_id, s.type, s.schedule_type, s.schedule, s.parameters,
        s.definition_version, s.executor_group, s.recurs, s.active, s.run_requested, s.restart,
        s.requested_by, s.paused_by, s.pause_reason, s.next_run_at, s.next_run_offset, s.due_at, s.last_ended_at,
        s.execution_id, s.resumed, s.revision, r.slot_at, r.window_from, r.window_to,
        r.end_recorded, r.result, w.status, w.executor_id, w.attempt,
        CASE WHEN w.executor_id IS NULL AND w.ended_at IS NULL THEN o.error END AS undelivered,
        CASE WHEN w.executor_id IS NULL AND w.ended_at IS NULL
            AND w.modified_at < :now - INTERVAL '15' SECOND THEN
          (SELECT CASE
              WHEN MAX(CASE WHEN ',' || e.definition_ids || ',' LIKE '%,' || w.definition_id || ',%'
                THEN 1 ELSE 0 END) = 0 THEN w.version END
            FROM millrace_executor e
            WHERE e.executor_group = w.executor_group AND e.stopped_at IS NULL
              AND e.expires_at > :now AND e.state = 'ACTIVE')
        END AS unknown_version
      FROM (
        SELECT v.sequence_id FROM UNNEST(CAST(:ids AS varchar ARRAY)) AS v(sequence_id)
        EXPECT_FEW) asked
      JOIN millrace_sequence s ON s.sequence_id = asked.sequence_id
      LEFT JOIN millrace_slot_record r ON r.execution_id = s.execution_id
      LEFT JOIN millrace_instance w ON w.id = s.execution_id
      LEFT JOIN millrace_outbox o ON o.instance_id = w.id AND o.seq = w.seq
      """
          .replace("EXPECT_FEW", Params.EXPECT_FEW.strip());

  private static final String TASKS =
      """
      SELECT t.sequence_id, t.position, t.task_id, t.next_task_id, t.parameters
      FROM (
        SELECT v.sequence_id FROM UNNEST(CAST(:ids AS varchar ARRAY)) AS v(sequence_id)
        EXPECT_FEW) asked
      JOIN millrace_sequence_task t ON t.sequence_id = asked.sequence_id
      ORDER BY t.sequence_id, t.position
      """
          .replace("EXPECT_FEW", Params.EXPECT_FEW.strip());

  private static final String LOCK =
      """
      SELECT sequence_id FROM millrace_sequence WHERE sequence_id = ANY(CAST(:ids AS varchar ARRAY))
      ORDER BY sequence_id FOR UPDATE
      """;

  /** Columns that {@link #slotRecord} reads, of a table {@code r}. */
  static final String SLOT_RECORD =
      """
      r.id, r.sequence_id, r.slot_at, r.fire_number, r.window_from, r.window_to, r.outcome, r.cause,
      r.reason, r.slot_count, r.execution_id, r.recorded_at, r.ended_at, r.result
      """;

  /** Columns that {@link #visit} reads, of a table {@code v}. */
  static final String VISIT =
      """
      v.execution_id, v.sequence_id, v.task_id, v.next_task_id, v.position, v.entered_seq, v.started_at,
      v.ended_at, v.status, v.status_log, v.retry_count
      """;

  /** A visit of a task, with the seq at its start. */
  record VisitRow(int enteredSeq, TaskVisit visit) {}

  private SequenceRows() {}

  /** Locks sequences, in one order for all transactions. */
  static void lock(SqlSession session, Collection<String> ids) throws SQLException {
    List<String> sorted = ids.stream().sorted().toList();
    session.forEachRow(LOCK, Params.none().texts("ids", sorted, id -> id), row -> {});
  }

  /** Returns the sequences with these ids, in their order; missing ones are left out. */
  static List<StoredSequence> read(SqlSession session, List<String> ids) throws SQLException {
    if (ids.isEmpty()) {
      return List.of();
    }
    Params params = Params.none().texts("ids", ids, id -> id);
    Map<String, List<StoredSequenceTask>> sequenceTasks = new HashMap<>();
    session.forEachRow(
        TASKS,
        params,
        row ->
            sequenceTasks
                .computeIfAbsent(row.getString("sequence_id"), id -> new ArrayList<>())
                .add(sequenceTask(row)));
    Map<String, StoredSequence> found = new HashMap<>();
    session.forEachRow(
        BY_IDS,
        params,
        row -> {
          String id = row.getString("sequence_id");
          found.put(id, sequence(row, sequenceTasks.getOrDefault(id, List.of())));
        });
    return ids.stream().map(found::get).filter(Objects::nonNull).toList();
  }

  private static StoredSequenceTask sequenceTask(ResultSet row) throws SQLException {
    return new StoredSequenceTask(
        row.getInt("position"),
        row.getInt("task_id"),
        row.getInt("next_task_id"),
        row.getString("parameters"));
  }

  private static StoredSequence sequence(ResultSet row, List<StoredSequenceTask> sequenceTasks)
      throws SQLException {
    return new StoredSequence(
        row.getString("sequence_id"),
        row.getString("type"),
        new SequenceSpec(
            sequenceTasks,
            row.getString("schedule_type"),
            row.getString("schedule"),
            row.getString("parameters"),
            RowMappers.intOrNull(row, "definition_version"),
            row.getString("executor_group")),
        new Flags(
            row.getBoolean("recurs"),
            row.getBoolean("active"),
            row.getBoolean("run_requested"),
            row.getBoolean("restart"),
            row.getString("requested_by"),
            row.getString("paused_by"),
            row.getString("pause_reason")),
        new SequenceStore.SequenceTimes(
            time(row, "next_run_at"), offset(row), time(row, "due_at"), time(row, "last_ended_at")),
        last(row),
        row.getInt("revision"));
  }

  private static @Nullable LastExecution last(ResultSet row) throws SQLException {
    Long executionId = RowMappers.longOrNull(row, "execution_id");
    Instant slot = time(row, "slot_at");
    if (executionId == null || slot == null) {
      return null;
    }
    String stored = row.getString("status");
    String known = stored == null ? row.getString("result") : stored;
    return new LastExecution(
        executionId,
        new FiredSlot(slot, window(row)),
        known == null ? InstanceStatus.CANCELLED : RowMappers.status(known),
        RowMappers.longOrNull(row, "executor_id") != null,
        row.getInt("attempt"),
        new StartObstacle(
            row.getString("undelivered"), RowMappers.intOrNull(row, "unknown_version")),
        row.getBoolean("end_recorded"),
        row.getBoolean("resumed"));
  }

  static StoredSlotRecord slotRecord(ResultSet row) throws SQLException {
    String result = row.getString("result");
    return new StoredSlotRecord(
        row.getLong("id"),
        row.getString("sequence_id"),
        ColumnTimes.read(row, "recorded_at"),
        new SlotRecord(
            ColumnTimes.read(row, "slot_at"),
            window(row),
            SlotOutcome.valueOf(row.getString("outcome")),
            row.getString("cause"),
            row.getInt("fire_number"),
            row.getString("reason"),
            row.getInt("slot_count")),
        RowMappers.longOrNull(row, "execution_id"),
        time(row, "ended_at"),
        result == null ? null : RowMappers.status(result));
  }

  static @Nullable DataWindow window(ResultSet row) throws SQLException {
    Instant from = time(row, "window_from");
    Instant to = time(row, "window_to");
    return from == null || to == null ? null : new DataWindow(from, to);
  }

  static NextRun nextRun(ResultSet row) throws SQLException {
    return new NextRun(
        row.getString("sequence_id"),
        row.getString("schedule"),
        new PlannedSlot(ColumnTimes.read(row, "next_run_at"), offset(row)));
  }

  private static @Nullable ZoneOffset offset(ResultSet row) throws SQLException {
    Integer seconds = RowMappers.intOrNull(row, "next_run_offset");
    return seconds == null ? null : ZoneOffset.ofTotalSeconds(seconds);
  }

  static @Nullable Integer seconds(@Nullable ZoneOffset offset) {
    return offset == null ? null : offset.getTotalSeconds();
  }

  static VisitRow visit(ResultSet row) throws SQLException {
    return new VisitRow(
        row.getInt("entered_seq"),
        new TaskVisit(
            row.getLong("execution_id"),
            row.getString("sequence_id"),
            new TaskPosition(
                row.getInt("task_id"), row.getInt("next_task_id"), row.getInt("position")),
            new VisitTimes(ColumnTimes.read(row, "started_at"), time(row, "ended_at")),
            row.getString("status"),
            row.getString("status_log"),
            row.getInt("retry_count")));
  }

  static @Nullable Instant time(ResultSet row, String column) throws SQLException {
    return ColumnTimes.readOrNull(row, column);
  }

  /** Returns the time as it is stored. */
  static @Nullable Instant kept(@Nullable Instant time) {
    return time == null ? null : ColumnTimes.limited(ColumnTimes.truncate(time));
  }

  /** Returns the parameters for all columns that users change. */
  static Params params(StoredSequence sequence) {
    Flags flags = sequence.flags();
    return Params.of("id", sequence.sequenceId())
        .set("type", sequence.type())
        .set("scheduleType", sequence.spec().scheduleType())
        .set("schedule", sequence.spec().schedule())
        .set("parameters", sequence.spec().parameters())
        .set("definitionVersion", sequence.definitionVersion())
        .set("group", sequence.executorGroup())
        .set("recurs", flags.recurs())
        .set("active", flags.active())
        .set("runRequested", flags.runRequested())
        .set("restart", flags.restart())
        .set("requestedBy", ColumnTexts.actor(flags.requestedBy()))
        .set("pausedBy", ColumnTexts.actor(flags.pausedBy()))
        .set("pauseReason", ColumnTexts.reason(flags.pauseReason()))
        .set("nextRun", kept(sequence.times().nextRun()))
        .set("nextRunOffset", seconds(sequence.times().nextRunOffset()))
        .set("due", kept(sequence.times().due()))
        .set("lastEnded", kept(sequence.times().lastEnded()));
  }
}
