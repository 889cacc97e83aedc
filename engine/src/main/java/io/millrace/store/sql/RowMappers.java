package io.millrace.store.sql;

import io.millrace.instance.ChildCounts;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.ExecutorState;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceDetails;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InstanceTimestamps;
import io.millrace.instance.Lease;
import io.millrace.instance.Origin;
import io.millrace.instance.Position;
import io.millrace.instance.Progress;
import io.millrace.instance.StopReason;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.DefinitionStore.StoredDefinition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A mapper of rows to values. */
final class RowMappers {

  /** Columns that {@link #instance} reads, of a table {@code w}. */
  static final String INSTANCE =
      """
      w.id, w.type, w.version, w.executor_group, w.priority, w.business_key, w.external_id,
      w.parent_id, w.state, w.status, w.reason, w.entered_seq, w.next_activation_at, w.waiting_for,
      w.wait_until, w.executor_id, w.lease_version, w.seq, w.attempt, w.recovery_count, w.created_at,
      w.modified_at, w.entered_at, w.ended_at, w.child_count, w.open_child_count, w.failed_child_count,
      w.variable_count, w.inbox_count, w.steps_seq, w.progress_done, w.progress_total, w.progress_text,
      w.failure_fingerprint
      """;

  /** Columns that {@link #historyEntry} reads. */
  static final String HISTORY =
      """
      instance_id, seq, type, from_state, to_state, reason, error, variables, executor_id,
      lease_version, attempt, actor, started_at, ended_at
      """;

  /** Columns that {@link #inboxMessage} reads. */
  static final String INBOX_MESSAGE =
      "id, instance_id, kind, name, payload, sent_at, actor, reason, consumed_seq";

  /** Columns that {@link #executor} reads. */
  static final String EXECUTOR =
      """
      id, host, pid, executor_group, definition_ids, version, node_name, process_started_at, drain_grace_micros,
      started_at, heartbeat_at, expires_at, stopped_at, recovered_at, running_handlers, concurrency, leased_count, queued_count,
      heap_percent, state, ready_at, warm, setup_micros, drain_requested_at, drain_requested_by, drain_reason,
      drain_deadline_at
      """;

  private RowMappers() {}

  static WorkflowInstance instance(ResultSet row) throws SQLException {
    return new WorkflowInstance(
        row.getLong("id"),
        origin(row),
        position(row),
        lease(row),
        timing(row),
        children(row),
        details(row));
  }

  private static Origin origin(ResultSet row) throws SQLException {
    return new Origin(
        row.getString("type"),
        row.getInt("version"),
        row.getString("executor_group"),
        row.getInt("priority"),
        row.getString("business_key"),
        row.getString("external_id"),
        longOrNull(row, "parent_id"));
  }

  private static Position position(ResultSet row) throws SQLException {
    return new Position(
        row.getString("state"),
        status(row.getString("status")),
        row.getString("reason"),
        row.getInt("entered_seq"),
        ColumnTimes.readOrNull(row, "next_activation_at"),
        row.getString("waiting_for"),
        ColumnTimes.readOrNull(row, "wait_until"));
  }

  /**
   * Returns the status with this code. A status that only a newer version knows counts as manual,
   * since the instance does not run here.
   */
  static InstanceStatus status(String code) {
    return Arrays.stream(InstanceStatus.values())
        .filter(status -> status.code().equals(code))
        .findFirst()
        .orElse(InstanceStatus.MANUAL);
  }

  private static Lease lease(ResultSet row) throws SQLException {
    return new Lease(
        longOrNull(row, "executor_id"),
        row.getInt("lease_version"),
        row.getInt("seq"),
        row.getInt("attempt"),
        row.getInt("recovery_count"));
  }

  private static InstanceTimestamps timing(ResultSet row) throws SQLException {
    return new InstanceTimestamps(
        ColumnTimes.read(row, "created_at"),
        ColumnTimes.read(row, "modified_at"),
        ColumnTimes.read(row, "entered_at"),
        ColumnTimes.readOrNull(row, "ended_at"));
  }

  private static ChildCounts children(ResultSet row) throws SQLException {
    return new ChildCounts(
        row.getInt("child_count"),
        row.getInt("open_child_count"),
        row.getInt("failed_child_count"));
  }

  private static InstanceDetails details(ResultSet row) throws SQLException {
    Long done = longOrNull(row, "progress_done");
    return new InstanceDetails(
        row.getInt("variable_count"),
        row.getInt("inbox_count"),
        row.getInt("steps_seq"),
        done == null
            ? null
            : new Progress(done, row.getLong("progress_total"), row.getString("progress_text")),
        row.getString("failure_fingerprint"));
  }

  static HistoryEntry historyEntry(ResultSet row) throws SQLException {
    return new HistoryEntry(
        row.getLong("instance_id"),
        row.getInt("seq"),
        HistoryEntryType.ofCode(row.getString("type")),
        new HistoryEntry.Move(row.getString("from_state"), row.getString("to_state")),
        new HistoryEntry.Outcome(
            row.getString("reason"), row.getString("error"), row.getString("variables")),
        new HistoryEntry.Author(
            longOrNull(row, "executor_id"),
            row.getInt("lease_version"),
            row.getInt("attempt"),
            row.getString("actor")),
        new HistoryEntry.Span(
            ColumnTimes.read(row, "started_at"), ColumnTimes.read(row, "ended_at")));
  }

  static InboxMessage inboxMessage(ResultSet row) throws SQLException {
    return new InboxMessage(
        row.getLong("id"),
        row.getLong("instance_id"),
        InboxMessage.Kind.ofCode(row.getString("kind")),
        row.getString("name"),
        row.getString("payload"),
        new InboxMessage.Sent(
            ColumnTimes.read(row, "sent_at"), row.getString("actor"), row.getString("reason")),
        intOrNull(row, "consumed_seq"));
  }

  static StoredDefinition definition(ResultSet row) throws SQLException {
    return new StoredDefinition(
        row.getInt("id"),
        row.getString("type"),
        row.getInt("version"),
        row.getString("hash"),
        row.getString("document"));
  }

  static ExecutorInfo executor(ResultSet row) throws SQLException {
    return new ExecutorInfo(
        row.getLong("id"),
        new ExecutorInfo.Identity(
            row.getString("host"),
            row.getLong("pid"),
            row.getString("executor_group"),
            splitIds(row.getString("definition_ids")),
            row.getString("version"),
            node(row)),
        new ExecutorInfo.Timestamps(
            ColumnTimes.read(row, "started_at"),
            ColumnTimes.read(row, "heartbeat_at"),
            ColumnTimes.read(row, "expires_at"),
            ColumnTimes.readOrNull(row, "stopped_at"),
            ColumnTimes.readOrNull(row, "recovered_at")),
        new ExecutorInfo.Load(
            row.getInt("running_handlers"),
            row.getInt("concurrency"),
            row.getInt("leased_count"),
            row.getInt("queued_count"),
            intOrNull(row, "heap_percent")),
        standing(row),
        drain(row));
  }

  private static ExecutorInfo.NodeInfo node(ResultSet row) throws SQLException {
    return new ExecutorInfo.NodeInfo(
        row.getString("node_name"),
        ColumnTimes.readOrNull(row, "process_started_at"),
        Duration.of(row.getLong("drain_grace_micros"), ChronoUnit.MICROS));
  }

  private static ExecutorInfo.Readiness standing(ResultSet row) throws SQLException {
    Long setup = longOrNull(row, "setup_micros");
    return new ExecutorInfo.Readiness(
        ExecutorState.of(row.getString("state")),
        ColumnTimes.readOrNull(row, "ready_at"),
        row.getBoolean("warm"),
        setup == null ? null : Duration.of(setup, ChronoUnit.MICROS));
  }

  static ExecutorInfo.@Nullable Drain drain(ResultSet row) throws SQLException {
    Instant requested = ColumnTimes.readOrNull(row, "drain_requested_at");
    return requested == null
        ? null
        : new ExecutorInfo.Drain(
            requested,
            row.getString("drain_requested_by"),
            StopReason.of(row.getString("drain_reason")),
            ColumnTimes.read(row, "drain_deadline_at"));
  }

  static String joinIds(Collection<Integer> ids) {
    return ids.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static List<Integer> splitIds(String ids) {
    return ids.isEmpty()
        ? List.of()
        : Arrays.stream(ids.split(",", -1)).map(Integer::valueOf).toList();
  }

  static @Nullable Long longOrNull(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }

  static @Nullable Integer intOrNull(ResultSet row, String column) throws SQLException {
    int value = row.getInt(column);
    return row.wasNull() ? null : value;
  }
}
