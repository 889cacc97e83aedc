package io.millrace.server.api;

import io.millrace.instance.InstanceStatus;
import io.millrace.schedule.DataWindow;
import io.millrace.schedule.Slot;
import io.millrace.store.SequenceStore.Fire;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Schema Fire. */
record FireView(
    String sequenceId,
    Instant slot,
    @Nullable Instant at,
    String outcome,
    String trigger,
    @Nullable Instant from,
    @Nullable Instant to,
    int count,
    @Nullable String reason,
    @Nullable Long executionId,
    @Nullable Instant ended) {

  /** Returns the view of a fire. */
  static FireView of(Fire fire) {
    DataWindow window = fire.slotRecord().window();
    return new FireView(
        fire.sequenceId(),
        fire.slotRecord().slot(),
        fire.at(),
        outcome(fire),
        fire.slotRecord().trigger(),
        window == null ? null : window.from(),
        window == null ? null : window.to(),
        fire.slotRecord().count(),
        fire.slotRecord().reason(),
        fire.executionId(),
        fire.ended());
  }

  private static String outcome(Fire fire) {
    return switch (fire.slotRecord().outcome()) {
      case SKIPPED, MISSED -> fire.slotRecord().outcome().name().toLowerCase(Locale.ROOT);
      case FIRED -> {
        if (fire.ended() == null) {
          yield "running";
        }
        yield fire.result() == InstanceStatus.FINISHED ? "completed" : "aborted";
      }
    };
  }

  /** Returns the view of a planned slot. */
  static FireView of(String sequenceId, Slot slot) {
    return new FireView(
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
