package io.millrace.store.sql;

import io.millrace.store.ContinuousStore.MemoryChange;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/**
 * The items that triggers remember. They are written while the row of the workflow is locked, so
 * that no two transactions write those of one trigger.
 */
final class TriggerMemory {

  private static final String READ =
      "SELECT item FROM millrace_trigger_memory WHERE name = :name AND "
          + ContinuousRowReader.IS_THERE;

  private static final String ADD =
      """
      INSERT INTO millrace_trigger_memory (name, item)
      SELECT CAST(:name AS varchar), d.item FROM (
        SELECT DISTINCT i.item FROM UNNEST(CAST(:items AS varchar ARRAY)) AS i(item)) d
      WHERE NOT EXISTS (SELECT 1 FROM millrace_trigger_memory m
        WHERE m.name = :name AND m.item = d.item)
      """;

  private static final String REMOVE =
      """
      DELETE FROM millrace_trigger_memory
      WHERE name = :name AND item = ANY(CAST(:items AS varchar ARRAY))
      """;

  private TriggerMemory() {}

  static Set<String> read(SqlSession session, String name) throws SQLException {
    Set<String> items = new HashSet<>();
    session.forEachRow(READ, Params.of("name", name), row -> items.add(row.getString("item")));
    return items;
  }

  static void write(SqlSession session, String name, MemoryChange change) throws SQLException {
    if (!change.removed().isEmpty()) {
      session.update(
          REMOVE, Params.of("name", name).texts("items", change.removed(), item -> item));
    }
    if (!change.added().isEmpty()) {
      session.update(ADD, Params.of("name", name).texts("items", change.added(), item -> item));
    }
  }
}
