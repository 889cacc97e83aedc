package io.millrace.store.sql;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A writer of fingerprints of failures. They have a statement of their own, so that the many
 * transitions that do not fail carry no column for them. A held instance has none.
 */
final class FailureFingerprintWriter {

  private static final String WRITE =
      "UPDATE millrace_instance SET failure_fingerprint = :failure WHERE id = :id";

  private FailureFingerprintWriter() {}

  static void write(SqlSession session, List<TransitionWriter.IndexedSave> writes)
      throws SQLException {
    Map<Long, String> failures = new TreeMap<>();
    for (TransitionWriter.IndexedSave indexedSave : writes) {
      String failure = indexedSave.save().changes().failure();
      if (failure != null) {
        failures.put(indexedSave.id(), failure);
      }
    }
    write(session, failures);
  }

  /** Writes fingerprints by the ids of the instances, whose rows the session has locked. */
  static void write(SqlSession session, Map<Long, String> failures) throws SQLException {
    if (!failures.isEmpty()) {
      session.batch(
          WRITE,
          failures.entrySet().stream()
              .map(e -> Params.of("id", e.getKey()).set("failure", e.getValue()))
              .toList());
    }
  }
}
