package io.millrace.server.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.millrace.instance.InstanceStatus;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.ScheduledSequence;
import io.millrace.sequence.TaskSequence;
import io.millrace.store.ScheduleStore.LastExecution;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Schema SequenceDetail.
 *
 * @param actions what the caller may do to it now
 */
record SequenceView(
    @JsonUnwrapped Summary summary,
    String tag,
    @Nullable String origin,
    List<Step> steps,
    Map<String, Object> schedule,
    String parameters,
    ExplanationView explanation,
    @Nullable String currentTask,
    @Nullable Integer currentSequence,
    @Nullable String error,
    List<String> actions) {

  /** A task in its place. */
  record Step(String task, int sequence, @Nullable String channel, String parameters) {}

  /** Schema SequenceSummary. */
  record Summary(
      String workflowId,
      String type,
      String status,
      boolean active,
      List<String> tasks,
      String scheduleType,
      String words,
      String zone,
      boolean recurs,
      boolean immediate,
      @Nullable String pausedBy,
      @Nullable String pauseReason,
      @Nullable Instant nextRun,
      @Nullable Instant lastRun,
      @Nullable Long executionId,
      boolean executionPaused,
      List<FireView> recent) {

    static Summary of(ScheduledSequence scheduled, List<FireView> recent) {
      TaskSequence sequence = scheduled.sequence();
      Schedule schedule = sequence.schedule();
      LastExecution last = scheduled.last();
      return new Summary(
          sequence.workflowId(),
          sequence.type(),
          scheduled.status().name(),
          sequence.active(),
          sequence.tasks().stream().map(TaskSequence.Step::task).toList(),
          scheduled.scheduleType(),
          schedule.words(),
          schedule.zone().getId(),
          schedule.recurs(),
          scheduled.flags().immediate(),
          scheduled.flags().pausedBy(),
          scheduled.flags().pauseReason(),
          scheduled.times().nextRun(),
          scheduled.times().lastRun(),
          last == null ? null : last.executionId(),
          isPaused(last),
          recent);
    }

    /** True while somebody has to resume an execution before the workflow goes on. */
    static boolean isPaused(@Nullable LastExecution last) {
      return last != null && !last.settled() && last.status() == InstanceStatus.PAUSED;
    }
  }
}
