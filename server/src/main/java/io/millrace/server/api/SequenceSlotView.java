package io.millrace.server.api;

import io.millrace.instance.InstanceStatus;
import io.millrace.schedule.DataWindow;
import io.millrace.schedule.Slot;
import io.millrace.store.SequenceStore.StoredSlotRecord;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Schema SequenceSlot. */
record SequenceSlotView(
    String sequenceId,
    Instant at,
    @Nullable Instant recorded,
    String outcome,
    String cause,
    @Nullable Instant from,
    @Nullable Instant to,
    int count,
    @Nullable String reason,
    @Nullable Long executionId,
    @Nullable Instant ended) {

  /** Returns the view of a slot record. */
  static SequenceSlotView of(StoredSlotRecord stored) {
    DataWindow window = stored.slotRecord().window();
    return new SequenceSlotView(
        stored.sequenceId(),
        stored.slotRecord().slot(),
        stored.recorded(),
        outcome(stored),
        stored.slotRecord().cause(),
        window == null ? null : window.from(),
        window == null ? null : window.to(),
        stored.slotRecord().count(),
        stored.slotRecord().reason(),
        stored.executionId(),
        stored.ended());
  }

  private static String outcome(StoredSlotRecord stored) {
    return switch (stored.slotRecord().outcome()) {
      case SKIPPED, MISSED -> stored.slotRecord().outcome().name().toLowerCase(Locale.ROOT);
      case FIRED -> {
        if (stored.ended() == null) {
          yield "running";
        }
        yield stored.result() == InstanceStatus.FINISHED ? "completed" : "aborted";
      }
    };
  }

  /** Returns the view of a planned slot. */
  static SequenceSlotView of(String sequenceId, Slot slot) {
    return new SequenceSlotView(
        sequenceId,
        slot.at(),
        null,
        slot.isExcluded() ? "excluded" : "planned",
        "schedule",
        slot.window().from(),
        slot.window().to(),
        1,
        slot.exclusionReason(),
        null,
        null);
  }
}
