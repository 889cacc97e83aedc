package io.millrace.store.sql;

import io.millrace.store.AttachedWrites;
import io.millrace.store.KeyValueStore.Put;
import io.millrace.store.ReduceStore.Commit;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A writer of the writes attached to transitions, whose rows the session has locked by its own
 * writes.
 */
final class AttachedWriter {

  private AttachedWriter() {}

  static void write(SqlSession session, List<TransitionWriter.IndexedSave> accepted)
      throws SQLException {
    List<Put> values = new ArrayList<>();
    List<Commit> commits = new ArrayList<>();
    for (TransitionWriter.IndexedSave indexedSave : accepted) {
      AttachedWrites attachedWrites = indexedSave.save().attached();
      if (attachedWrites != null) {
        values.addAll(attachedWrites.values());
        commits.addAll(attachedWrites.commits());
      }
    }
    SqlKeyValueStore.write(session, values);
    SqlReduceStore.write(session, commits);
  }
}
