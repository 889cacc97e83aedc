package io.millrace.store.sql;

import io.millrace.store.ChangeStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * The journal of changes in SQL. A writer takes the next number under the lock of a row and holds
 * it until its commit, so that no change becomes visible after one with a greater number.
 */
final class SqlChangeStore implements ChangeStore {

  private static final String TAKE_NUMBER =
      "UPDATE millrace_mark SET position = position + 1 WHERE name = 'change'";

  private static final String INSERT =
      """
      INSERT INTO millrace_change (id, recorded_at, node, payload)
      SELECT position, :now, CAST(:node AS varchar), CAST(:payload AS text) FROM millrace_mark
      WHERE name = 'change'
      """;

  private static final String NEWEST = "SELECT position FROM millrace_mark WHERE name = 'change'";

  private static final String AFTER =
      "SELECT id, recorded_at, node, payload FROM millrace_change WHERE id > :id ORDER BY id LIMIT :limit";

  /** Query of old changes. Reads the oldest only, since times grow with ids. */
  private static final String OLD =
      """
      SELECT oldest.id FROM (
        SELECT c.id, c.recorded_at FROM millrace_change c ORDER BY c.id LIMIT :limit) oldest
      WHERE oldest.recorded_at < :now - CAST(:age AS bigint) * INTERVAL '0.000001' SECOND
      """;

  private static final String PRUNE =
      "DELETE FROM millrace_change WHERE id = ANY(CAST(:ids AS bigint ARRAY))";

  private final Jdbc jdbc;

  SqlChangeStore(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public long append(String node, String payload) {
    Params params =
        Params.of("node", ColumnTexts.actor(node)).set("payload", ColumnTexts.whole(payload));
    return jdbc.transaction(
        "add to the journal of changes",
        session -> {
          session.update(TAKE_NUMBER, params);
          session.update(INSERT, params);
          return newest(session);
        });
  }

  @Override
  public List<Change> after(long id, int limit) {
    return jdbc.run(
        "read the journal of changes",
        session ->
            session.query(
                AFTER,
                Params.of("id", id).set("limit", limit),
                row ->
                    new Change(
                        row.getLong("id"),
                        ColumnTimes.read(row, "recorded_at"),
                        row.getString("node"),
                        row.getString("payload"))));
  }

  @Override
  public long newest() {
    return jdbc.run("read the journal of changes", SqlChangeStore::newest);
  }

  private static long newest(SqlSession session) throws SQLException {
    return session.query(NEWEST, Params.none(), row -> row.getLong("position")).getFirst();
  }

  @Override
  public int prune(Duration age, int limit) {
    return jdbc.run(
        "prune the journal of changes",
        session -> {
          List<Long> old =
              session.query(
                  OLD,
                  Params.of("age", ColumnTimes.micros(age)).set("limit", limit),
                  row -> row.getLong("id"));
          return old.isEmpty() ? 0 : session.update(PRUNE, Params.none().longs("ids", old));
        });
  }
}
