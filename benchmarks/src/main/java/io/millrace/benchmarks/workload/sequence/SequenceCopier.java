package io.millrace.benchmarks.workload.sequence;

import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import java.sql.SQLException;

/**
 * A helper that creates sequences by the hundred thousand, as copies of some that were added
 * normally.
 */
final class SequenceCopier {

  /** Separates the name of a copied sequence from the number of its copy. */
  static final String NUMBER = "#";

  private static final String WORKFLOWS =
      """
      INSERT INTO millrace_sequence (sequence_id, type, schedule_type, schedule, parameters,
        definition_version, executor_group, recurs, active, run_requested, restart, next_run_at, due_at, revision, created_at,
        modified_at)
      SELECT sequence_id || '#' || n, type, schedule_type, schedule, parameters,
        definition_version, executor_group, recurs, active, run_requested, restart, next_run_at, due_at, 1, created_at, modified_at
      FROM millrace_sequence, generate_series(1, {copies}) AS n WHERE sequence_id NOT LIKE '%#%'
      """;

  private static final String TASKS =
      """
      INSERT INTO millrace_sequence_task (sequence_id, task_id, position, next_task_id, parameters)
      SELECT sequence_id || '#' || n, task_id, position, next_task_id, parameters
      FROM millrace_sequence_task, generate_series(1, {copies}) AS n
      WHERE sequence_id NOT LIKE '%#%'
      """;

  private SequenceCopier() {}

  /** Creates the given number of copies of every sequence. */
  static void make(BenchmarkDatabase database, int copies) throws SQLException {
    database.execute(
        WORKFLOWS.replace("{copies}", "" + copies),
        TASKS.replace("{copies}", "" + copies),
        "ANALYZE millrace_sequence, millrace_sequence_task");
  }
}
