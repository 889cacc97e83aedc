package io.millrace.schedule;

import java.time.Instant;

/** The decision about a slot. */
public sealed interface SlotDecision {

  /** Returns the reason, for people. */
  String reason();

  /**
   * The slot is executed.
   *
   * @param cancelRunning true if the running execution must be cancelled first
   */
  record Fire(Slot slot, boolean cancelRunning, String reason) implements SlotDecision {}

  /** The slot passed without a run, and is not made up for. */
  record Missed(SlotRange span, String reason) implements SlotDecision {}

  /** The slot is skipped on purpose: by a calendar, or because an execution was running. */
  record Skipped(SlotRange span, String reason) implements SlotDecision {}

  /**
   * A range of one or more consecutive slots.
   *
   * @param last the same as {@code first} for one slot
   * @param count number of slots
   * @param window of all of them
   */
  record SlotRange(Instant first, Instant last, long count, DataWindow window) {

    static SlotRange of(Slot slot) {
      return new SlotRange(slot.at(), slot.at(), 1, slot.window());
    }

    static SlotRange of(Schedule schedule, Instant first, Instant last) {
      return new SlotRange(
          first,
          last,
          schedule.count(first, last),
          new DataWindow(schedule.slot(first).window().from(), schedule.slot(last).window().to()));
    }
  }
}
