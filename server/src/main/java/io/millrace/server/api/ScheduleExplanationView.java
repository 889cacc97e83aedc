package io.millrace.server.api;

import io.millrace.schedule.Schedule;
import io.millrace.schedule.ScheduleExplanation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Schema ScheduleExplanation. */
record ScheduleExplanationView(
    String words, List<SlotView> next, List<String> warnings, List<String> notes) {

  /**
   * Returns the explanation of a schedule.
   *
   * @param from the earliest instant of a slot
   */
  static ScheduleExplanationView of(Schedule schedule, Instant from, int count) {
    ScheduleExplanation scheduleExplanation = ScheduleExplanation.of(schedule, from.minusNanos(1));
    SlotCursor slots = new SlotCursor(schedule, from);
    List<SlotView> next = new ArrayList<>();
    while (slots.peek() != null && next.size() < count) {
      next.add(SlotView.of(slots.next()));
    }
    return new ScheduleExplanationView(
        scheduleExplanation.words(),
        next,
        scheduleExplanation.warnings(),
        scheduleExplanation.notes());
  }

  /** Returns the explanation of a schedule that cannot be read. */
  static ScheduleExplanationView none(@Nullable String problem) {
    return new ScheduleExplanationView(
        "", List.of(), problem == null ? List.of() : List.of(problem), List.of());
  }

  /** Returns this explanation with another note. */
  ScheduleExplanationView noting(String note) {
    List<String> more = new ArrayList<>(notes);
    more.add(note);
    return new ScheduleExplanationView(words, next, warnings, more);
  }

  /** Returns this explanation for a schedule that has ended. */
  ScheduleExplanationView ended() {
    return new ScheduleExplanationView(words, List.of(), warnings, notes);
  }
}
