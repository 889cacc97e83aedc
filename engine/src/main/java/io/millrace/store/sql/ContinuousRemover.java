package io.millrace.store.sql;

import io.millrace.store.RetentionStore;
import java.sql.SQLException;
import java.util.List;

/** Deletes the log, the offered events and the memory of removed continuous workflows. */
final class ContinuousRemover {

  /** The removal of a continuous workflow. */
  static final NamedRemover.Kind CONTINUOUS =
      new NamedRemover.Kind(
          "millrace_continuous_removal",
          "name",
          "continuous workflow",
          ContinuousRemover::deletePart);

  private ContinuousRemover() {}

  private static List<String> parts(Dialect dialect) {
    return List.of(
        dialect.deletePart("millrace_continuous_log", "name", "seq"),
        dialect.deletePart("millrace_offered_event", "name", "id"),
        dialect.deletePart("millrace_trigger_memory", "name", "item"));
  }

  private static boolean deletePart(SqlSession session, String name) throws SQLException {
    int room = RetentionStore.ROWS_PER_PART;
    for (String deletePart : parts(session.dialect())) {
      room -= session.update(deletePart, Params.of("id", name).set("rows", room));
      if (room == 0) {
        return true;
      }
    }
    return false;
  }
}
