package io.millrace.store.sql;

import io.millrace.store.RetentionStore;
import java.sql.SQLException;
import java.util.List;

/** Deletes the events and the memory of removed continuous workflows. */
final class ContinuousRemover {

  /** The removal of a continuous workflow. */
  static final NamedRemover.Kind CONTINUOUS =
      new NamedRemover.Kind("continuous", "continuous workflow", ContinuousRemover::deletePart);

  private static final List<String> PARTS = parts(false);
  private static final List<String> EMBEDDED_PARTS = parts(true);

  private ContinuousRemover() {}

  private static List<String> parts(boolean embedded) {
    return List.of(
        RemovalTables.deletePart("millrace_continuous_event", "name", "seq", embedded),
        RemovalTables.deletePart("millrace_trigger_event", "name", "id", embedded),
        RemovalTables.deletePart("millrace_trigger_memory", "name", "item", embedded));
  }

  private static boolean deletePart(SqlSession session, String name) throws SQLException {
    int room = RetentionStore.ROWS_PER_PART;
    for (String deletePart : session.dialect().embedded() ? EMBEDDED_PARTS : PARTS) {
      room -= session.update(deletePart, Params.of("id", name).set("rows", room));
      if (room == 0) {
        return true;
      }
    }
    return false;
  }
}
