package io.millrace.store.sql;

import io.millrace.instance.InboxMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages in inboxes. Every change of an inbox is made under the lock of the instance's row.
 */
final class InboxMessages {

  /** A message to insert into an inbox. */
  record Message(
      long instanceId,
      InboxMessage.Kind kind,
      String name,
      @Nullable String payload,
      @Nullable String key,
      @Nullable String actor,
      @Nullable String reason) {}

  private record Used(long id, long instanceId, int seq) {}

  private static final String INSERT =
      """
      INSERT INTO millrace_message
        (instance_id, kind, name, payload, dedupe_key, sent_at, actor, reason)
      VALUES (:instanceId, :kind, :name, :payload, :key, :now, :actor, :reason)
      """;

  private static final String CONSUME =
      """
      MERGE INTO millrace_message s
      USING (SELECT d.id, d.instance_id, d.seq
             FROM UNNEST(CAST(:ids AS bigint ARRAY), CAST(:instanceIds AS bigint ARRAY),
                         CAST(:seqs AS integer ARRAY)) AS d(id, instance_id, seq)
      """
          + Params.EXPECT_FEW
          + """
            ) d ON (s.id = d.id AND s.instance_id = d.instance_id AND s.consumed_seq IS NULL)
          WHEN MATCHED THEN UPDATE SET consumed_seq = d.seq
          """;

  private static final String RECOUNT =
      """
      UPDATE millrace_instance SET inbox_count = (
        SELECT COUNT(*) FROM millrace_message s
        WHERE s.instance_id = millrace_instance.id AND s.consumed_seq IS NULL)
      WHERE id = ANY(CAST(:ids AS bigint ARRAY))
      """;

  private static final String UNCONSUMED_OF_KIND =
      """
      SELECT COUNT(*) AS messages FROM millrace_message
      WHERE instance_id = :id AND consumed_seq IS NULL AND kind = :kind
      """;

  private static final String COUNTS =
      "SELECT id, inbox_count FROM millrace_instance WHERE id = ANY(CAST(:ids AS bigint ARRAY))";

  private static final String END_WAITS =
      """
      UPDATE millrace_instance SET next_activation_at = :now
      WHERE id = ANY(CAST(:ids AS bigint ARRAY)) AND EXISTS (
        SELECT 1 FROM millrace_message s
        WHERE s.instance_id = millrace_instance.id AND s.consumed_seq IS NULL
          AND s.kind = 'signal' AND 'signal:' || s.name = millrace_instance.waiting_for)
      """;

  private static final String OLDEST =
      "SELECT "
          + RowMappers.INBOX_MESSAGE
          + """
           FROM millrace_message
          WHERE instance_id = :id AND consumed_seq IS NULL AND kind = 'signal' AND name = :name
          ORDER BY id LIMIT 1
          """;

  private static final String CONSUMED =
      """
      SELECT consumed_seq, name FROM millrace_message
      WHERE instance_id = :id AND kind = 'signal' AND consumed_seq BETWEEN :first AND :last
      ORDER BY id
      """;

  private InboxMessages() {}

  static Optional<InboxMessage> oldest(SqlSession session, long instanceId, String name)
      throws SQLException {
    return session.first(
        OLDEST, Params.of("id", instanceId).set("name", name), RowMappers::inboxMessage);
  }

  /** Returns the names of the signals that a range of history entries consumed, by their seq. */
  static Map<Integer, List<String>> consumedBetween(
      SqlSession session, long instanceId, int first, int last) throws SQLException {
    Map<Integer, List<String>> names = new HashMap<>();
    session.forEachRow(
        CONSUMED,
        Params.of("id", instanceId).set("first", first).set("last", last),
        row ->
            names
                .computeIfAbsent(row.getInt("consumed_seq"), seq -> new ArrayList<>())
                .add(row.getString("name")));
    return names;
  }

  static void insert(SqlSession session, Message message) throws SQLException {
    session.update(
        INSERT,
        Params.of("instanceId", message.instanceId)
            .set("kind", message.kind.code())
            .set("name", message.name)
            .set("payload", message.payload)
            .set("key", message.key)
            .set("actor", ColumnTexts.actor(message.actor))
            .set("reason", ColumnTexts.reason(message.reason)));
  }

  static int countUnconsumed(SqlSession session, long instanceId, InboxMessage.Kind kind)
      throws SQLException {
    return session
        .query(
            UNCONSUMED_OF_KIND,
            Params.of("id", instanceId).set("kind", kind.code()),
            row -> row.getInt("messages"))
        .getFirst();
  }

  /** Marks the messages that accepted writes consume. */
  static void consume(
      SqlSession session, List<TransitionWriter.IndexedSave> writes, Map<Long, Integer> inboxCounts)
      throws SQLException {
    List<Used> used = new ArrayList<>();
    for (TransitionWriter.IndexedSave indexedSave : writes) {
      for (Long id : new HashSet<>(indexedSave.save().changes().consumed())) {
        used.add(new Used(id, indexedSave.id(), indexedSave.save().fence().seq() + 1));
      }
    }
    if (used.isEmpty()) {
      return;
    }
    int consumed =
        session.update(
            CONSUME,
            Params.none()
                .longs("ids", used, Used::id)
                .longs("instanceIds", used, Used::instanceId)
                .ints("seqs", used, Used::seq));
    if (consumed != used.size()) {
      recount(session, used.stream().map(Used::instanceId).distinct().toList(), inboxCounts);
    }
  }

  /** Corrects the counts of rows some of whose messages had been consumed before. */
  private static void recount(SqlSession session, List<Long> ids, Map<Long, Integer> inboxCounts)
      throws SQLException {
    session.update(RECOUNT, Params.none().longs("ids", ids));
    session.forEachRow(
        COUNTS,
        Params.none().longs("ids", ids),
        row -> inboxCounts.put(row.getLong("id"), row.getInt("inbox_count")));
  }

  /** Makes instances due whose awaited message has arrived already. */
  static void endWaits(SqlSession session, List<Long> ids) throws SQLException {
    if (!ids.isEmpty()) {
      session.update(END_WAITS, Params.none().longs("ids", ids));
    }
  }
}
