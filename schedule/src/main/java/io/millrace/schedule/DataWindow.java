package io.millrace.schedule;

import java.time.Instant;

/**
 * The range of time whose data a run processes. It ends when its slot is due or before, and the
 * windows of successive slots adjoin.
 *
 * @param from inclusive
 * @param to exclusive, after {@code from}
 */
public record DataWindow(Instant from, Instant to) {

  public DataWindow {
    ScheduleValidation.require(
        from.isBefore(to),
        "A data window goes from " + from + " to " + to + "; it must not be empty.");
  }
}
