package io.millrace.store.sql;

import io.millrace.instance.InstanceStatus;
import io.millrace.store.AlwaysOn;
import io.millrace.store.AlwaysOnStore.Owner;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of continuous workflows: read, and locked in one order by all transactions. */
final class AlwaysOnRows {

  /**
   * What {@link #read} reads, with the table {@code a} it comes from. Times that are over are none.
   */
  static final String SELECT =
      """
      SELECT a.name, a.executor_group, a.type, a.settings, a.desired, a.request, a.revision,
        a.modified, a.executor_id, a.epoch, a.preferred, a.chain, a.generation, a.chain_started,
        a.run_started, a.run_mode, a.run_reason, a.iterations, a.fires, a.last_fire, a.last_end,
        a.last_result, a.execution_id, a.position, a.restarts, a.crash_loop, a.error, a.down_since,
        CASE WHEN a.backoff_until > (SELECT :now) THEN a.backoff_until END AS backoff_until,
        CASE WHEN a.debug_until > (SELECT :now) THEN a.debug_until END AS debug_until,
        CASE WHEN a.debug_until > (SELECT :now) THEN a.debug_by END AS debug_by
      FROM millrace_always_on a
      """;

  /** Ends a query or a change of certain rows. */
  static final String NAMED = " WHERE name = ANY(CAST(:names AS varchar ARRAY))";

  private static final String READ = SELECT + NAMED + " ORDER BY a.name";

  private static final String LOCK =
      "SELECT name, desired, executor_id, epoch, generation, execution_id, crash_loop"
          + " FROM millrace_always_on"
          + NAMED
          + " ORDER BY name FOR UPDATE";

  /** What decides about a change of a row that is locked. */
  record Locked(
      String name,
      boolean on,
      @Nullable Long executorId,
      long epoch,
      long generation,
      @Nullable Long executionId,
      boolean crashLoop) {

    static Locked read(ResultSet row) throws SQLException {
      return new Locked(
          row.getString("name"),
          row.getString("desired").equals(code(AlwaysOn.Desired.ON)),
          Rows.longOrNull(row, "executor_id"),
          row.getLong("epoch"),
          row.getLong("generation"),
          Rows.longOrNull(row, "execution_id"),
          row.getBoolean("crash_loop"));
    }

    boolean isOwnedBy(Owner owner) {
      return Objects.equals(executorId, owner.executorId()) && epoch == owner.epoch();
    }
  }

  private AlwaysOnRows() {}

  static String code(AlwaysOn.Desired desired) {
    return desired.name().toLowerCase(Locale.ROOT);
  }

  static Params named(Collection<String> names) {
    return Params.none().texts("names", names, name -> name);
  }

  /** Locks those of the workflows that are there, one after the other by name. */
  static Map<String, Locked> lock(Session session, Collection<String> names) throws SQLException {
    Map<String, Locked> locked = new HashMap<>();
    session.visit(LOCK, named(names), row -> locked.put(row.getString("name"), Locked.read(row)));
    return locked;
  }

  static Optional<Locked> lock(Session session, String name) throws SQLException {
    return Optional.ofNullable(lock(session, List.of(name)).get(name));
  }

  /** The workflow if it belongs to {@code owner} still, locked. */
  static Optional<Locked> lock(Session session, Owner owner) throws SQLException {
    return lock(session, owner.name()).filter(locked -> locked.isOwnedBy(owner));
  }

  /** Workflows by name; those that are not there are left out. */
  static List<AlwaysOn> read(Session session, Collection<String> names) throws SQLException {
    return names.isEmpty() ? List.of() : session.query(READ, named(names), AlwaysOnRows::read);
  }

  static AlwaysOn read(ResultSet row) throws SQLException {
    return new AlwaysOn(
        new AlwaysOn.Identity(
            row.getString("name"),
            row.getString("executor_group"),
            row.getString("type"),
            row.getString("settings")),
        wish(row),
        new AlwaysOn.Ownership(
            Rows.longOrNull(row, "executor_id"),
            row.getLong("epoch"),
            Rows.longOrNull(row, "preferred")),
        run(row),
        work(row),
        row.getString("position"),
        health(row));
  }

  private static AlwaysOn.Wish wish(ResultSet row) throws SQLException {
    String request = row.getString("request");
    return new AlwaysOn.Wish(
        row.getString("desired").equals(code(AlwaysOn.Desired.ON))
            ? AlwaysOn.Desired.ON
            : AlwaysOn.Desired.OFF,
        request == null ? null : AlwaysOn.Request.valueOf(request),
        row.getInt("revision"),
        Times.read(row, "modified"));
  }

  private static AlwaysOn.@Nullable Run run(ResultSet row) throws SQLException {
    Instant chainStarted = Times.readOrNull(row, "chain_started");
    Instant started = Times.readOrNull(row, "run_started");
    return chainStarted == null || started == null
        ? null
        : new AlwaysOn.Run(
            row.getLong("chain"),
            row.getLong("generation"),
            chainStarted,
            started,
            row.getString("run_mode"),
            row.getString("run_reason"));
  }

  private static AlwaysOn.Work work(ResultSet row) throws SQLException {
    return new AlwaysOn.Work(
        row.getLong("iterations"),
        row.getLong("fires"),
        Times.readOrNull(row, "last_fire"),
        Times.readOrNull(row, "last_end"),
        status(row, "last_result"),
        Rows.longOrNull(row, "execution_id"));
  }

  static @Nullable InstanceStatus status(ResultSet row, String column) throws SQLException {
    String code = row.getString(column);
    return code == null ? null : Rows.status(code);
  }

  private static AlwaysOn.Health health(ResultSet row) throws SQLException {
    return new AlwaysOn.Health(
        row.getInt("restarts"),
        Times.readOrNull(row, "backoff_until"),
        row.getBoolean("crash_loop"),
        row.getString("error"),
        Times.readOrNull(row, "down_since"),
        Times.readOrNull(row, "debug_until"),
        row.getString("debug_by"));
  }
}
