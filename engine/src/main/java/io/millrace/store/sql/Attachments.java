package io.millrace.store.sql;

import io.millrace.store.Attached;
import io.millrace.store.KeyValueStore.Put;
import io.millrace.store.ReduceStore.Commit;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Writes what is attached to transitions, whose rows the session has locked by its own writes. */
final class Attachments {

  private Attachments() {}

  static void write(Session session, List<Saves.Write> accepted) throws SQLException {
    List<Put> values = new ArrayList<>();
    List<Commit> commits = new ArrayList<>();
    for (Saves.Write write : accepted) {
      Attached attached = write.save().attached();
      if (attached != null) {
        values.addAll(attached.values());
        commits.addAll(attached.commits());
      }
    }
    SqlKeyValues.write(session, values);
    SqlReductions.write(session, commits);
  }
}
