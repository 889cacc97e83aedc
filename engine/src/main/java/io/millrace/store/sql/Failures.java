package io.millrace.store.sql;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Fingerprints of failures. They are written by a statement of their own, so that the many
 * transitions that do not fail carry no column for them; whoever holds an instance finds none.
 */
final class Failures {

  private static final String WRITE =
      "UPDATE millrace_workflow SET failure = :failure WHERE id = :id";

  private Failures() {}

  static void write(Session session, List<Saves.Write> writes) throws SQLException {
    Map<Long, String> failures = new TreeMap<>();
    for (Saves.Write write : writes) {
      String failure = write.save().changes().failure();
      if (failure != null) {
        failures.put(write.id(), failure);
      }
    }
    write(session, failures);
  }

  /** Writes fingerprints by the ids of the instances, whose rows the session has locked. */
  static void write(Session session, Map<Long, String> failures) throws SQLException {
    if (!failures.isEmpty()) {
      session.batch(
          WRITE,
          failures.entrySet().stream()
              .map(e -> Params.of("id", e.getKey()).set("failure", e.getValue()))
              .toList());
    }
  }
}
