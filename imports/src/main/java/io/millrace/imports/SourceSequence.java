package io.millrace.imports;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code INSIGHTS_WORKFLOW_CONFIG} with the rows that belong to it, unchanged.
 *
 * @param sequenceTasks the tasks in the order of their numbers
 */
record SourceSequence(
    String id,
    @Nullable String type,
    ScheduleColumns when,
    State state,
    RunHistory past,
    List<SequenceTask> sequenceTasks) {

  SourceSequence {
    sequenceTasks = List.copyOf(sequenceTasks);
  }

  /**
   * The columns of the schedule. Dates are in seconds since 1970; 0 is none.
   *
   * @param start first day of the workflow's report, where it has one
   * @param end last day of the workflow's report, where it has one
   */
  record ScheduleColumns(
      @Nullable String frequency,
      @Nullable Boolean recurs,
      @Nullable Long nextRun,
      @Nullable Long start,
      @Nullable Long end) {}

  /**
   * The columns of the state.
   *
   * @param status a free text
   */
  record State(@Nullable String status, @Nullable Boolean active, @Nullable Boolean immediate) {}

  /**
   * Past runs of the workflow.
   *
   * @param lastRun in seconds since 1970; 0 is never
   * @param executions the number of executions in the history
   * @param newest the id of the newest execution
   */
  record RunHistory(@Nullable Long lastRun, long executions, @Nullable Long newest) {}

  /**
   * A row of {@code INSIGHTS_WORKFLOW_TASK_SEQUENCE}.
   *
   * @param nextTask -1 for none
   */
  record SequenceTask(
      @Nullable Integer sequence, @Nullable Integer taskId, @Nullable Integer nextTask) {}
}
