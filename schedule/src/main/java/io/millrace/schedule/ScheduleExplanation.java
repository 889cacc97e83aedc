package io.millrace.schedule;

import java.time.Instant;
import java.util.List;

/**
 * A schedule for people.
 *
 * @param words when it is due, in English
 * @param next its next five slots; those that a calendar excludes are among them
 * @param warnings what is probably not meant; empty for most schedules
 * @param notes what is worth knowing, such as days on which clocks are changed
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
   * @param from the next slots are those after this instant; usually now
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
