package io.millrace.store.sql;

import io.millrace.store.OutboxStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The messages to a broker in SQL. */
final class SqlOutboxStore implements OutboxStore {

  private record Row(Key key, String channel, String state, boolean retry, int tries) {
    static Row read(ResultSet row) throws SQLException {
      return new Row(
          new Key(row.getLong("instance_id"), row.getInt("seq")),
          row.getString("channel"),
          row.getString("state"),
          row.getBoolean("retry"),
          row.getInt("try_count"));
    }

    Message of(Waiting instance) {
      return new Message(key, channel, instance.instance, state, retry, tries);
    }
  }

  /** The instance that a message announces, as long as it waits. */
  private record Waiting(Instance instance, int seq) {}

  private static final String DUE =
      """
      SELECT instance_id, seq, channel, state, retry, try_count FROM millrace_outbox
      WHERE due_at <= :now ORDER BY due_at, instance_id, seq LIMIT :limit
      """;

  private static final String WAITING =
      """
      SELECT id, type, version, business_key, seq FROM millrace_instance
      WHERE id = ANY(CAST(:ids AS bigint ARRAY)) AND executor_id IS NULL
        AND status IN ('created', 'inProgress')
      """;

  private static final String THESE =
      """
      (instance_id, seq) IN (
        SELECT d.id, d.seq FROM UNNEST(CAST(:ids AS bigint ARRAY), CAST(:seqs AS integer ARRAY))
          AS d(id, seq))
      """;

  private static final String AGAIN =
      "due_at = :now + CAST(:after AS bigint) * INTERVAL '0.000001' SECOND";

  private static final String RESERVE =
      "UPDATE millrace_outbox SET try_count = try_count + 1, " + AGAIN + " WHERE " + THESE;

  private static final String FAIL =
      "UPDATE millrace_outbox SET error = :error, " + AGAIN + " WHERE " + THESE;

  private static final String UNSENT =
      """
      SELECT channel, error FROM millrace_outbox WHERE instance_id = :id AND seq = :seq
      """;

  private static final String DELETE = "DELETE FROM millrace_outbox WHERE " + THESE;

  private final Jdbc jdbc;

  SqlOutboxStore(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public List<Message> claim(int limit, Duration reserve) {
    return jdbc.transaction(
        "take messages for channels",
        session -> {
          List<Row> rows =
              session.query(
                  DUE + session.dialect().skipLocked(), Params.of("limit", limit), Row::read);
          if (rows.isEmpty()) {
            return List.of();
          }
          Map<Long, Waiting> waiting = waiting(session, rows);
          List<Message> messages = new ArrayList<>();
          List<Key> stale = new ArrayList<>();
          for (Row row : rows) {
            Waiting instance = waiting.get(row.key.instanceId());
            if (instance == null || instance.seq != row.key.seq()) {
              stale.add(row.key);
            } else {
              messages.add(row.of(instance));
            }
          }
          change(session, DELETE, stale, Params.none());
          change(
              session,
              RESERVE,
              messages.stream().map(Message::key).toList(),
              Params.of("after", ColumnTimes.micros(reserve)));
          return messages;
        });
  }

  private static Map<Long, Waiting> waiting(SqlSession session, List<Row> rows)
      throws SQLException {
    Map<Long, Waiting> waiting = new HashMap<>();
    session.forEachRow(
        WAITING,
        Params.none().longs("ids", rows, row -> row.key.instanceId()),
        row ->
            waiting.put(
                row.getLong("id"),
                new Waiting(
                    new Instance(
                        row.getString("type"),
                        row.getInt("version"),
                        row.getString("business_key")),
                    row.getInt("seq"))));
    return waiting;
  }

  @Override
  public void markSent(List<Key> keys) {
    jdbc.run(
        "delete messages that were sent", session -> change(session, DELETE, keys, Params.none()));
  }

  @Override
  public void markFailed(List<Key> keys, String why, Duration again) {
    jdbc.run(
        "postpone messages",
        session ->
            change(
                session,
                FAIL,
                keys,
                Params.of("after", ColumnTimes.micros(again))
                    .set("error", ColumnTexts.reason(why))));
  }

  @Override
  public Optional<Unsent> unsent(Key key) {
    return jdbc.run(
        "read a message that was not sent",
        session ->
            session.first(
                UNSENT,
                Params.of("id", key.instanceId()).set("seq", key.seq()),
                row -> new Unsent(row.getString("channel"), row.getString("error"))));
  }

  private static int change(SqlSession session, String sql, List<Key> keys, Params params)
      throws SQLException {
    return keys.isEmpty()
        ? 0
        : session.update(
            sql, params.longs("ids", keys, Key::instanceId).ints("seqs", keys, Key::seq));
  }
}
