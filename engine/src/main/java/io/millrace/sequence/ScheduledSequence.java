package io.millrace.sequence;

import io.millrace.store.SequenceStore.Flags;
import io.millrace.store.SequenceStore.LastExecution;
import io.millrace.store.SequenceStore.SequenceTimes;
import org.jspecify.annotations.Nullable;

/**
 * A sequence as it stands.
 *
 * @param last its newest execution; null before the first
 * @param executorGroup whose executors fire it and run it
 * @param etag another one for every change of {@code sequence}; its runs do not change it
 */
public record ScheduledSequence(
    TaskSequence sequence,
    SequenceStatus status,
    Flags flags,
    SequenceTimes times,
    @Nullable LastExecution last,
    String executorGroup,
    String etag) {

  /** A frequency's name, {@code CRON} or {@code INTERVAL}. */
  public String scheduleType() {
    return SequenceMapper.scheduleType(sequence.schedule());
  }

  /**
   * True if its schedule starts nothing until an operator acts: inactive, paused or aborted. Its
   * next run is then a slot that may be missed.
   */
  public boolean isSuspended() {
    return !flags.active() || flags.pausedBy() != null || status == SequenceStatus.ABORTED;
  }

  /** True while its newest execution goes on by itself; one that is parked does not. */
  public boolean isRunning() {
    return FirePlanner.isRunning(last);
  }
}
