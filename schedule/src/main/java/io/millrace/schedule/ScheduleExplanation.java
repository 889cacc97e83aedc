package io.millrace.schedule;

import java.time.Instant;
import java.util.List;

/**
 * A description of a schedule for people.
 *
 * @param words when it is due, in English
 * @param next its next five slots, including excluded ones
 * @param warnings probable mistakes; empty for most schedules
 * @param notes useful facts, such as days on which clocks are changed
 */
public record ScheduleExplanation(
    String words, List<Slot> next, List<String> warnings, List<String> notes) {

  private static final int FIRES = 5;

  public ScheduleExplanation {
    next = List.copyOf(next);
    warnings = List.copyOf(warnings);
    notes = List.copyOf(notes);
  }

  /**
   * Explains a schedule.
   *
   * @param from start of the next slots, exclusive; usually now
   */
  public static ScheduleExplanation of(Schedule schedule, Instant from) {
    List<Slot> next = schedule.slotsAfter(from, FIRES).slots();
    return new ScheduleExplanation(
        ScheduleDescriber.of(schedule),
        schedule.recurs() ? next : next.stream().limit(1).toList(),
        ScheduleDiagnostics.warnings(schedule, from, next),
        ScheduleDiagnostics.notes(schedule, from));
  }
}
