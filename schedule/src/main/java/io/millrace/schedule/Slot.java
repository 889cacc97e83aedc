package io.millrace.schedule;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An instant at which a schedule is due.
 *
 * @param at names the slot: no two of a schedule are the same
 * @param window what a run of it reports
 * @param exclusionReason which calendar and entry keep it from running, in words; null for none
 */
public record Slot(Instant at, DataWindow window, @Nullable String exclusionReason) {

  public boolean isExcluded() {
    return exclusionReason != null;
  }
}
