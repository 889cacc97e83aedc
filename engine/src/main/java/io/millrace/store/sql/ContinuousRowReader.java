package io.millrace.store.sql;

import io.millrace.instance.InstanceStatus;
import io.millrace.store.ContinuousStore.Owner;
import io.millrace.store.StoredContinuousWorkflow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A reader of rows of continuous workflows, which all transactions lock in one order. */
final class ContinuousRowReader {

  /**
   * Columns that {@link #read} reads, with the table {@code a} they come from. Past times are null.
   */
  static final String SELECT =
      """
      SELECT a.name, a.executor_group, a.type, a.settings, a.enabled, a.request, a.revision,
        a.modified_at, a.executor_id, a.epoch, a.preferred_executor_id, a.series, a.generation, a.series_started_at,
        a.run_started_at, a.run_mode, a.run_reason, a.iteration_count, a.fire_count, a.last_fired_at, a.last_ended_at,
        a.last_result, a.execution_id, a.position, a.failure_count, a.crash_loop, a.error, a.down_since,
        CASE WHEN a.backoff_until > (SELECT :now) THEN a.backoff_until END AS backoff_until,
        CASE WHEN a.debug_until > (SELECT :now) THEN a.debug_until END AS debug_until,
        CASE WHEN a.debug_until > (SELECT :now) THEN a.debug_by END AS debug_by
      FROM millrace_continuous_workflow a
      """;

  /** Condition for rows with certain names. */
  static final String NAMED = " WHERE name = ANY(CAST(:names AS varchar ARRAY))";

  /** True unless the workflow has been removed and what belongs to it has yet to go. */
  static final String IS_THERE =
      "(SELECT a.name FROM millrace_continuous_workflow a WHERE a.name = :name) IS NOT NULL";

  private static final String READ = SELECT + NAMED + " ORDER BY a.name";

  private static final String LOCK =
      "SELECT name, enabled, executor_id, epoch, generation, execution_id, crash_loop"
          + " FROM millrace_continuous_workflow"
          + NAMED
          + " ORDER BY name FOR UPDATE";

  /** The columns of a locked row that decide about its change. */
  record LockedRow(
      String name,
      boolean enabled,
      @Nullable Long executorId,
      long epoch,
      long generation,
      @Nullable Long executionId,
      boolean crashLoop) {

    static LockedRow read(ResultSet row) throws SQLException {
      return new LockedRow(
          row.getString("name"),
          row.getBoolean("enabled"),
          RowMappers.longOrNull(row, "executor_id"),
          row.getLong("epoch"),
          row.getLong("generation"),
          RowMappers.longOrNull(row, "execution_id"),
          row.getBoolean("crash_loop"));
    }

    boolean isOwnedBy(Owner owner) {
      return Objects.equals(executorId, owner.executorId()) && epoch == owner.epoch();
    }
  }

  private ContinuousRowReader() {}

  static Params named(Collection<String> names) {
    return Params.none().texts("names", names, name -> name);
  }

  /** Locks those of the workflows that exist, one after the other by name. */
  static Map<String, LockedRow> lock(SqlSession session, Collection<String> names)
      throws SQLException {
    Map<String, LockedRow> locked = new HashMap<>();
    session.forEachRow(
        LOCK, named(names), row -> locked.put(row.getString("name"), LockedRow.read(row)));
    return locked;
  }

  static Optional<LockedRow> lock(SqlSession session, String name) throws SQLException {
    return Optional.ofNullable(lock(session, List.of(name)).get(name));
  }

  /** Locks and returns the workflow if it still belongs to {@code owner}. */
  static Optional<LockedRow> lock(SqlSession session, Owner owner) throws SQLException {
    return lock(session, owner.name()).filter(lockedRow -> lockedRow.isOwnedBy(owner));
  }

  /** Returns workflows by name; missing ones are left out. */
  static List<StoredContinuousWorkflow> read(SqlSession session, Collection<String> names)
      throws SQLException {
    return names.isEmpty()
        ? List.of()
        : session.query(READ, named(names), ContinuousRowReader::read);
  }

  static StoredContinuousWorkflow read(ResultSet row) throws SQLException {
    return new StoredContinuousWorkflow(
        new StoredContinuousWorkflow.Identity(
            row.getString("name"),
            row.getString("executor_group"),
            row.getString("type"),
            row.getString("settings")),
        requested(row),
        new StoredContinuousWorkflow.Ownership(
            RowMappers.longOrNull(row, "executor_id"),
            row.getLong("epoch"),
            RowMappers.longOrNull(row, "preferred_executor_id")),
        run(row),
        work(row),
        row.getString("position"),
        health(row));
  }

  private static StoredContinuousWorkflow.RequestedState requested(ResultSet row)
      throws SQLException {
    String request = row.getString("request");
    return new StoredContinuousWorkflow.RequestedState(
        row.getBoolean("enabled"),
        request == null ? null : StoredContinuousWorkflow.OwnerRequest.valueOf(request),
        row.getInt("revision"),
        ColumnTimes.read(row, "modified_at"));
  }

  private static StoredContinuousWorkflow.@Nullable Run run(ResultSet row) throws SQLException {
    Instant seriesStarted = ColumnTimes.readOrNull(row, "series_started_at");
    Instant started = ColumnTimes.readOrNull(row, "run_started_at");
    return seriesStarted == null || started == null
        ? null
        : new StoredContinuousWorkflow.Run(
            row.getLong("series"),
            row.getLong("generation"),
            seriesStarted,
            started,
            row.getString("run_mode"),
            row.getString("run_reason"));
  }

  private static StoredContinuousWorkflow.Activity work(ResultSet row) throws SQLException {
    return new StoredContinuousWorkflow.Activity(
        row.getLong("iteration_count"),
        row.getLong("fire_count"),
        ColumnTimes.readOrNull(row, "last_fired_at"),
        ColumnTimes.readOrNull(row, "last_ended_at"),
        status(row, "last_result"),
        RowMappers.longOrNull(row, "execution_id"));
  }

  static @Nullable InstanceStatus status(ResultSet row, String column) throws SQLException {
    String code = row.getString(column);
    return code == null ? null : RowMappers.status(code);
  }

  private static StoredContinuousWorkflow.Health health(ResultSet row) throws SQLException {
    return new StoredContinuousWorkflow.Health(
        row.getInt("failure_count"),
        ColumnTimes.readOrNull(row, "backoff_until"),
        row.getBoolean("crash_loop"),
        row.getString("error"),
        ColumnTimes.readOrNull(row, "down_since"),
        ColumnTimes.readOrNull(row, "debug_until"),
        row.getString("debug_by"));
  }
}
