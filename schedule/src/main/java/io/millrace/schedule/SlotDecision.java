package io.millrace.schedule;

import java.time.Instant;

/** The decision about a slot. */
public sealed interface SlotDecision {

  /** Returns the reason, for people. */
  String reason();

  /**
   * The slot is executed.
   *
   * @param cancelRunning true when the execution that runs is to be cancelled first
   */
  record Fire(Slot slot, boolean cancelRunning, String reason) implements SlotDecision {}

  /** Its time passed while nobody could fire it, and it is not made up for. */
  record Missed(SlotRange span, String reason) implements SlotDecision {}

  /** The slot is skipped on purpose: by a calendar, or because an execution was running. */
  record Skipped(SlotRange span, String reason) implements SlotDecision {}

  /**
   * A slot, or several in a row.
   *
   * @param last the same as {@code first} for one slot
   * @param count how many slots these are
   * @param window of all of them
   */
  record SlotRange(Instant first, Instant last, long count, DataWindow window) {

    static SlotRange of(Slot slot) {
      return new SlotRange(slot.at(), slot.at(), 1, slot.window());
    }
  }
}
