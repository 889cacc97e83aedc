package io.millrace.server.api;

import io.millrace.schedule.Slot;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Schema Slot. */
record SlotView(Instant at, Instant from, Instant to, @Nullable String excluded) {

  static SlotView of(Slot slot) {
    return new SlotView(
        slot.at(), slot.window().from(), slot.window().to(), slot.exclusionReason());
  }
}
