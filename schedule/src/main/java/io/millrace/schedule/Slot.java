package io.millrace.schedule;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An instant at which a schedule is due.
 *
 * @param at identifies the slot within its schedule
 * @param window the range of time whose data a run processes
 * @param exclusionReason the calendar and entry that exclude it, in words; null for none
 */
public record Slot(Instant at, DataWindow window, @Nullable String exclusionReason) {

  public boolean isExcluded() {
    return exclusionReason != null;
  }
}
