package io.millrace.server.api;

import io.millrace.schedule.Schedule;
import io.millrace.schedule.Slot;
import io.millrace.sequence.UpcomingRun;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the slots of a schedule from some time on. A schedule that does not recur ends with
 * the first slot that no calendar excludes.
 */
final class SlotCursor {

  private final Schedule schedule;
  private @Nullable Instant peek;

  /**
   * @param from the earliest instant of a slot
   */
  SlotCursor(Schedule schedule, Instant from) {
    this.schedule = schedule;
    this.peek = schedule.nextOrSame(from);
  }

  /**
   * Returns a cursor over the slots of a planned run, none before {@code from}. A run that does not
   * recur and is already due has no later slot.
   */
  static SlotCursor of(UpcomingRun run, Instant from) {
    Schedule schedule = run.schedule();
    boolean due = run.at().isBefore(from);
    SlotCursor slotCursor = new SlotCursor(schedule, due ? from : run.at());
    if (due && !schedule.recurs() && !schedule.slot(run.at()).isExcluded()) {
      slotCursor.peek = null;
    }
    return slotCursor;
  }

  /** Returns the time of the current slot; null at the end. */
  @Nullable Instant peek() {
    return peek;
  }

  /** Returns the current slot and advances to the next one. */
  Slot next() {
    if (peek == null) {
      throw new IllegalStateException("There is no further slot.");
    }
    Slot slot = schedule.slot(peek);
    peek = schedule.recurs() || slot.isExcluded() ? schedule.next(peek) : null;
    return slot;
  }
}
