package io.millrace.server.api;

import io.millrace.schedule.Explanation;
import io.millrace.schedule.Schedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Schema ScheduleExplanation. */
record ExplanationView(
    String words, List<SlotView> next, List<String> warnings, List<String> notes) {

  /**
   * Explains a schedule.
   *
   * @param from the first instant that may be a fire
   */
  static ExplanationView of(Schedule schedule, Instant from, int fires) {
    Explanation explanation = Explanation.of(schedule, from.minusNanos(1));
    Upcoming slots = new Upcoming(schedule, from);
    List<SlotView> next = new ArrayList<>();
    while (slots.at() != null && next.size() < fires) {
      next.add(SlotView.of(slots.take()));
    }
    return new ExplanationView(
        explanation.words(), next, explanation.warnings(), explanation.notes());
  }

  /** Of a schedule that cannot be read. */
  static ExplanationView none(@Nullable String problem) {
    return new ExplanationView(
        "", List.of(), problem == null ? List.of() : List.of(problem), List.of());
  }

  /** The same with another note. */
  ExplanationView noting(String note) {
    List<String> more = new ArrayList<>(notes);
    more.add(note);
    return new ExplanationView(words, next, warnings, more);
  }

  /** The same of a schedule that has ended. */
  ExplanationView ended() {
    return new ExplanationView(words, List.of(), warnings, notes);
  }
}
