package io.millrace.store.sql;

import io.millrace.instance.AuditEntry;
import io.millrace.instance.AuditQuery;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Page;
import io.millrace.instance.StoredAuditEntry;
import io.millrace.store.AuditStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The audit trail in SQL. */
final class SqlAuditStore implements AuditStore {

  private static final String INSERT =
      """
      INSERT INTO millrace_audit (recorded_at, actor, action, instance_id, seq, target, reason, detail)
      VALUES (:now, :actor, :action, :instanceId, :seq, :target, :reason, :detail)
      """;

  private final Jdbc jdbc;

  SqlAuditStore(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public void append(AuditEntry entry) {
    jdbc.run(
        "add to the audit trail",
        session -> {
          insert(session, entry, null);
          return entry;
        });
  }

  /** Adds an entry in the session's transaction. */
  static void insert(SqlSession session, AuditEntry entry, @Nullable Integer seq)
      throws SQLException {
    session.update(
        INSERT,
        Params.of("actor", ColumnTexts.actor(entry.actor()))
            .set("action", ColumnTexts.action(entry.action()))
            .set("instanceId", entry.instanceId())
            .set("seq", seq)
            .set("target", ColumnTexts.target(entry.target()))
            .set("reason", ColumnTexts.reason(entry.reason()))
            .set("detail", ColumnTexts.whole(entry.detail())));
  }

  @Override
  public Page<StoredAuditEntry> list(AuditQuery query) {
    List<String> conditions = new ArrayList<>(List.of("TRUE"));
    Params params = Params.of("limit", query.limit() + 1);
    add("actor = :actor", "actor", query.actor(), conditions, params);
    add("action = :action", "action", query.action(), conditions, params);
    add("instance_id = :instanceId", "instanceId", query.instanceId(), conditions, params);
    add("recorded_at >= :from", "from", query.from(), conditions, params);
    add("recorded_at < :to", "to", query.to(), conditions, params);
    add("id < :before", "before", position(query.cursor()), conditions, params);
    String sql =
        "SELECT id, recorded_at, actor, action, instance_id, seq, target, reason, detail FROM millrace_audit WHERE "
            + String.join(" AND ", conditions)
            + " ORDER BY id DESC LIMIT :limit";
    List<StoredAuditEntry> found =
        jdbc.run(
            "list the audit trail",
            StatementTimeout.LONG,
            session -> session.query(sql, params, SqlAuditStore::read));
    if (found.size() <= query.limit()) {
      return new Page<>(found, null);
    }
    List<StoredAuditEntry> items = found.subList(0, query.limit());
    return new Page<>(items, Long.toString(items.getLast().id()));
  }

  private static void add(
      String condition,
      String name,
      @Nullable Object value,
      List<String> conditions,
      Params params) {
    if (value != null) {
      conditions.add(condition);
      params.set(name, value instanceof Instant time ? ColumnTimes.limited(time) : value);
    }
  }

  private static @Nullable Long position(@Nullable String cursor) {
    try {
      return cursor == null ? null : Long.valueOf(cursor);
    } catch (NumberFormatException e) {
      throw new InvalidRequestException(
          "The cursor '" + cursor + "' is not one that a page of this store has answered with.");
    }
  }

  private static StoredAuditEntry read(ResultSet row) throws SQLException {
    return new StoredAuditEntry(
        row.getLong("id"),
        ColumnTimes.read(row, "recorded_at"),
        new AuditEntry(
            row.getString("actor"),
            row.getString("action"),
            RowMappers.longOrNull(row, "instance_id"),
            row.getString("target"),
            row.getString("reason"),
            row.getString("detail")),
        RowMappers.intOrNull(row, "seq"));
  }
}
