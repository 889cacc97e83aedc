package io.millrace.benchmarks.workload.millrace;

import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import java.sql.SQLException;

/**
 * A helper that fills tables with copies of one real instance, as if many such instances had run.
 */
final class InstanceCopier {

  private InstanceCopier() {}

  /** Copies the newest instance with its history. */
  static void make(BenchmarkDatabase database, int count) throws SQLException {
    long original = database.number("SELECT max(id) FROM millrace_instance");
    database.execute(
        instances(original, count), histories(original), "VACUUM ANALYZE", "CHECKPOINT");
  }

  /**
   * Returns the statement that copies instances; each copy is a millisecond younger than the one
   * before it, and the last is as old as the original.
   */
  private static String instances(long original, int count) {
    return """
    INSERT INTO millrace_instance (type, version, definition_id, executor_group, priority,
      input, state, status, reason, entered_seq, next_activation_at, lease_version, seq, attempt,
      created_at, modified_at, entered_at, ended_at)
    SELECT w.type, w.version, w.definition_id, w.executor_group, w.priority,
      w.input, w.state, w.status, w.reason, w.entered_seq, w.next_activation_at - c.age,
      w.lease_version, w.seq, w.attempt,
      w.created_at - c.age, w.modified_at - c.age, w.entered_at - c.age, w.ended_at - c.age
    FROM (SELECT (%2$d - n) * INTERVAL '1 ms' AS age FROM generate_series(1, %2$d) AS g(n)) c,
      millrace_instance w
    WHERE w.id = %1$d
    """
        .formatted(original, count);
  }

  private static String histories(long original) {
    return """
    INSERT INTO millrace_history (instance_id, seq, type, from_state, to_state, reason,
      executor_id, lease_version, attempt, started_at, ended_at)
    SELECT w.id, a.seq, a.type, a.from_state, a.to_state, a.reason,
      a.executor_id, a.lease_version, a.attempt, w.modified_at, w.modified_at
    FROM millrace_instance w, millrace_history a
    WHERE w.id > %1$d AND a.instance_id = %1$d
    """
        .formatted(original);
  }
}
