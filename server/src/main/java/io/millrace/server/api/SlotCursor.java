package io.millrace.server.api;

import io.millrace.schedule.Schedule;
import io.millrace.schedule.Slot;
import io.millrace.sequence.UpcomingRun;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The slots that a schedule has from some time on, one after another. One that does not recur ends
 * with the first that no calendar excludes.
 */
final class SlotCursor {

  private final Schedule schedule;
  private @Nullable Instant peek;

  /**
   * @param from the first instant that may be one
   */
  SlotCursor(Schedule schedule, Instant from) {
    this.schedule = schedule;
    this.peek = schedule.nextOrSame(from);
  }

  /**
   * The slots of a run that is to come, none before {@code from}. One that does not recur and is
   * due already has none after that.
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

  /** When the slot is at which this stands; null at the end. */
  @Nullable Instant peek() {
    return peek;
  }

  /** The slot at which this stands; goes on to the next. */
  Slot next() {
    if (peek == null) {
      throw new IllegalStateException("There is no further slot.");
    }
    Slot slot = schedule.slot(peek);
    peek = schedule.recurs() || slot.isExcluded() ? schedule.next(peek) : null;
    return slot;
  }
}
