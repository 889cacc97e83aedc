package io.millrace.schedule;

import java.time.Instant;

/** What becomes of a slot. */
public sealed interface Decision {

  /** Why, in words for people. */
  String reason();

  /**
   * It is executed.
   *
   * @param cancelRunning true when the execution that runs is to be cancelled first
   */
  record Fire(Slot slot, boolean cancelRunning, String reason) implements Decision {}

  /** Its time passed while nobody could fire it, and it is not made up for. */
  record Missed(Span span, String reason) implements Decision {}

  /** It is left out on purpose: by a calendar, or because an execution was running. */
  record Skipped(Span span, String reason) implements Decision {}

  /**
   * One slot, or several in a row.
   *
   * @param last the same as {@code first} for one slot
   * @param count how many slots these are
   * @param window of all of them
   */
  record Span(Instant first, Instant last, long count, DataWindow window) {

    static Span of(Slot slot) {
      return new Span(slot.at(), slot.at(), 1, slot.window());
    }
  }
}
