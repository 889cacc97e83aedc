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
      INSERT INTO millrace_schedule (workflow_id, workflow_type, schedule_type, schedule, parameters,
        shape, executor_group, recurs, active, immediate, restart, next_run, due, revision, created,
        modified)
      SELECT workflow_id || '#' || n, workflow_type, schedule_type, schedule, parameters,
        shape, executor_group, recurs, active, immediate, restart, next_run, due, 1, created, modified
      FROM millrace_schedule, generate_series(1, {copies}) AS n WHERE workflow_id NOT LIKE '%#%'
      """;

  private static final String TASKS =
      """
      INSERT INTO millrace_workflow_task_sequence (workflowid, taskid, sequence, nexttask, parameters)
      SELECT workflowid || '#' || n, taskid, sequence, nexttask, parameters
      FROM millrace_workflow_task_sequence, generate_series(1, {copies}) AS n
      WHERE workflowid NOT LIKE '%#%'
      """;

  private SequenceCopier() {}

  /** Creates the given number of copies of every sequence. */
  static void make(BenchmarkDatabase database, int copies) throws SQLException {
    database.execute(
        WORKFLOWS.replace("{copies}", "" + copies),
        TASKS.replace("{copies}", "" + copies),
        "ANALYZE millrace_schedule, millrace_workflow_task_sequence");
  }
}
