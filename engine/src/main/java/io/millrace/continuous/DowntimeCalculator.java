package io.millrace.continuous;

import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.Event;
import io.millrace.store.StoredContinuousWorkflow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A calculation of the time in which a workflow was enabled and did not run, from its events. */
final class DowntimeCalculator {

  private static final int PAGE = 200;

  private final ContinuousStore store;

  DowntimeCalculator(ContinuousStore store) {
    this.store = store;
  }

  /**
   * Returns the downtime from {@code since} to {@code now}; reads events backwards, each of which
   * holds until the next.
   */
  Duration of(StoredContinuousWorkflow row, Instant since, Instant now) {
    Duration down = Duration.ZERO;
    Instant end = now;
    Long before = null;
    List<Event> page;
    do {
      page = store.events(row.name(), before, PAGE);
      for (Event event : page) {
        if (says(event) == Standing.NOTHING) {
          continue;
        }
        Instant begin = event.at().isBefore(since) ? since : event.at();
        if (says(event) == Standing.DOWN && begin.isBefore(end)) {
          down = down.plus(Duration.between(begin, end));
        }
        if (!event.at().isAfter(since)) {
          return down;
        }
        end = begin;
      }
      before = page.isEmpty() ? null : page.getLast().id();
    } while (page.size() == PAGE);
    return down;
  }

  private enum Standing {
    UP,
    DOWN,
    OFF,
    NOTHING
  }

  private static Standing says(Event event) {
    return switch (event.type()) {
      case STARTED, CONTINUED -> Standing.UP;
      // Its owner releases it a moment after it was disabled.
      case RELEASED ->
          ContinuousSupervisor.SWITCHED_OFF.equals(event.reason())
              ? Standing.NOTHING
              : Standing.DOWN;
      case SWITCHED_ON, LOST, FAILED, CRASH_LOOP -> Standing.DOWN;
      case SWITCHED_OFF -> Standing.OFF;
      case DEBUG_STARTED, DEBUG_ENDED -> Standing.NOTHING;
    };
  }
}
