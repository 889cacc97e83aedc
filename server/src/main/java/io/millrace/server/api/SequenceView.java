package io.millrace.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.millrace.instance.InstanceStatus;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.ScheduledSequence;
import io.millrace.sequence.SequenceEntry;
import io.millrace.store.SequenceStore.LastExecution;
import io.millrace.store.SequenceStore.StoredSequence;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The schema SequenceDetail.
 *
 * @param actions the actions that the caller may do now
 */
record SequenceView(
    @JsonUnwrapped Summary summary,
    String tag,
    @Nullable String origin,
    List<SequenceTask> sequenceTasks,
    Map<String, Object> schedule,
    String parameters,
    ScheduleExplanationView explanation,
    @Nullable String currentTask,
    @Nullable Integer currentSequence,
    @Nullable String error,
    List<String> actions) {

  /** A task at its position in the sequence. */
  record SequenceTask(String task, int position, @Nullable String channel, String parameters) {}

  /** Schema SequenceSummary. */
  record Summary(
      String sequenceId,
      String type,
      String status,
      boolean active,
      List<String> tasks,
      String scheduleType,
      String words,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String zone,
      boolean recurs,
      boolean runRequested,
      @Nullable String pausedBy,
      @Nullable String pauseReason,
      @Nullable Instant nextRun,
      @Nullable Instant lastEnded,
      @Nullable Long executionId,
      boolean executionPaused,
      List<SequenceSlotView> recent,
      @Nullable String problem) {

    private static final String UNREADABLE = "cannot be read by this node";

    static Summary of(SequenceEntry entry, List<SequenceSlotView> recent) {
      StoredSequence row = entry.row();
      ScheduledSequence readable = entry.sequence();
      Schedule schedule = readable == null ? null : readable.sequence().schedule();
      LastExecution last = row.last();
      return new Summary(
          row.sequenceId(),
          row.type(),
          entry.status().name(),
          row.flags().active(),
          entry.tasks(),
          row.spec().scheduleType(),
          schedule == null ? UNREADABLE : schedule.describe(),
          schedule == null ? null : schedule.zone().getId(),
          schedule == null ? row.flags().recurs() : schedule.recurs(),
          row.flags().runRequested(),
          row.flags().pausedBy(),
          row.flags().pauseReason(),
          row.times().nextRun(),
          row.times().lastEnded(),
          last == null ? null : last.executionId(),
          isPaused(last),
          recent,
          entry.problem());
    }

    /** True while the sequence waits for an operator to resume an execution. */
    static boolean isPaused(@Nullable LastExecution last) {
      return last != null && !last.endRecorded() && last.status() == InstanceStatus.PAUSED;
    }
  }
}
