package io.millrace.sequence;

import io.millrace.store.SequenceStore.Flags;
import io.millrace.store.SequenceStore.LastExecution;
import io.millrace.store.SequenceStore.SequenceTimes;
import org.jspecify.annotations.Nullable;

/**
 * A sequence with its current state.
 *
 * @param last its newest execution; null before the first
 * @param executorGroup group of the executors that fire it and run it
 * @param tag changes with every change of {@code sequence}; its runs do not change it
 */
public record ScheduledSequence(
    TaskSequence sequence,
    SequenceStatus status,
    Flags flags,
    SequenceTimes times,
    @Nullable LastExecution last,
    String executorGroup,
    String tag) {

  /** Returns a frequency's name, {@code CRON}, {@code INTERVAL} or {@code WINDOW}. */
  public String scheduleType() {
    return SequenceMapper.scheduleType(sequence.schedule());
  }

  /**
   * Returns true if its schedule starts nothing until an operator acts: inactive, paused or
   * aborted. Its next run is then a slot that may be missed.
   */
  public boolean isSuspended() {
    return !flags.active() || flags.pausedBy() != null || status == SequenceStatus.ABORTED;
  }

  /** Returns true until its newest execution ends, or waits for an operator in status MANUAL. */
  public boolean isRunning() {
    return FirePlanner.isRunning(last);
  }
}
