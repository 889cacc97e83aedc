package io.millrace.continuous;

import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.LogEntry;
import io.millrace.store.StoredContinuousWorkflow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A calculation of the time in which a workflow was enabled and did not run, from its log. */
final class DowntimeCalculator {

  private static final int PAGE = 200;

  private final ContinuousStore store;

  DowntimeCalculator(ContinuousStore store) {
    this.store = store;
  }

  /**
   * Returns the downtime from {@code since} to {@code now}; reads the log backwards, each entry of
   * which holds until the next.
   */
  Duration of(StoredContinuousWorkflow row, Instant since, Instant now) {
    Duration down = Duration.ZERO;
    Instant end = now;
    Long before = null;
    List<LogEntry> page;
    do {
      page = store.log(row.name(), before, PAGE);
      for (LogEntry entry : page) {
        if (says(entry) == Standing.NOTHING) {
          continue;
        }
        Instant begin = entry.at().isBefore(since) ? since : entry.at();
        if (says(entry) == Standing.DOWN && begin.isBefore(end)) {
          down = down.plus(Duration.between(begin, end));
        }
        if (!entry.at().isAfter(since)) {
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
    DISABLED,
    NOTHING
  }

  private static Standing says(LogEntry entry) {
    return switch (entry.type()) {
      case STARTED, CONTINUED -> Standing.UP;
      // Its owner releases it a moment after it was disabled.
      case RELEASED ->
          ContinuousSupervisor.DISABLED.equals(entry.reason()) ? Standing.NOTHING : Standing.DOWN;
      case ENABLED, LOST, FAILED, CRASH_LOOP -> Standing.DOWN;
      case DISABLED -> Standing.DISABLED;
      case DEBUG_STARTED, DEBUG_ENDED -> Standing.NOTHING;
    };
  }
}
