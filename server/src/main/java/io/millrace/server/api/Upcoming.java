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
final class Upcoming {

  private final Schedule schedule;
  private @Nullable Instant at;

  /**
   * @param from the first instant that may be one
   */
  Upcoming(Schedule schedule, Instant from) {
    this.schedule = schedule;
    this.at = schedule.nextOrSame(from);
  }

  /**
   * The slots of a run that is to come, none before {@code from}. One that does not recur and is
   * due already has none after that.
   */
  static Upcoming of(UpcomingRun run, Instant from) {
    Schedule schedule = run.schedule();
    boolean due = run.at().isBefore(from);
    Upcoming upcoming = new Upcoming(schedule, due ? from : run.at());
    if (due && !schedule.recurs() && !schedule.slot(run.at()).isExcluded()) {
      upcoming.at = null;
    }
    return upcoming;
  }

  /** When the slot is at which this stands; null at the end. */
  @Nullable Instant at() {
    return at;
  }

  /** The slot at which this stands; goes on to the next. */
  Slot take() {
    if (at == null) {
      throw new IllegalStateException("There is no further slot.");
    }
    Slot slot = schedule.slot(at);
    at = schedule.recurs() || slot.isExcluded() ? schedule.next(at) : null;
    return slot;
  }
}
