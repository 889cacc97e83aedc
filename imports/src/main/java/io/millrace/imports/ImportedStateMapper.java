package io.millrace.imports;

import io.millrace.instance.OperatorAction;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.schedule.SlotPage;
import io.millrace.sequence.ImportedState;
import io.millrace.sequence.SequenceStatus;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Mapper from the state of a workflow of the source to the state from which it continues here. The
 * source moves the next run only when a run has succeeded, so all slots from the next run on are
 * still due.
 */
final class ImportedStateMapper {

  private static final String ACTOR = "import";
  private static final int MAX_COUNTED = 1_000;

  private final SourceSequence workflow;
  private final Schedule schedule;
  private final Instant now;
  private final List<String> notes;

  private ImportedStateMapper(
      SourceSequence workflow, Schedule schedule, Instant now, List<String> notes) {
    this.workflow = workflow;
    this.schedule = schedule;
    this.now = now;
    this.notes = notes;
  }

  /**
   * Returns the state from which a workflow continues.
   *
   * @param next the next run of the source; null for none
   * @param notes receives what an operator must know
   */
  static ImportedState of(
      SourceSequence workflow,
      Schedule schedule,
      @Nullable Instant next,
      Instant now,
      List<String> notes) {
    return new ImportedStateMapper(workflow, schedule, now, notes).standing(next);
  }

  private ImportedState standing(@Nullable Instant next) {
    Instant lastRun = SourceTimes.instant(workflow.past().lastRun(), "lastrun", notes);
    SequenceStatus status = status();
    Instant nextRun = nextRun(status, next, lastRun);
    boolean flagged = Boolean.TRUE.equals(workflow.state().immediate());
    OperatorAction action = status == null ? unknown() : told(status);
    boolean runRequested = action == null && (flagged || status == SequenceStatus.RESTART);
    if (runRequested && status == SequenceStatus.COMPLETED) {
      notes.add(
          "It is COMPLETED and flagged to run at once, which the source never does; it does here.");
    }
    if (action == null && !runRequested && isActive()) {
      overdue(nextRun);
    }
    return new ImportedState(nextRun, lastRun, runRequested, action);
  }

  private boolean isActive() {
    return Boolean.TRUE.equals(workflow.state().active());
  }

  /** Returns the status; null if the text is not a known status. */
  private @Nullable SequenceStatus status() {
    String text = workflow.state().status();
    String name = text == null ? "" : text.strip().toUpperCase(Locale.ROOT);
    return Arrays.stream(SequenceStatus.values())
        .filter(status -> status.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  private OperatorAction unknown() {
    String text = workflow.state().status();
    String shown = text == null ? "empty" : "'" + text + "'";
    notes.add(
        "Its status is "
            + shown
            + ", which is not a known status; it is paused until an operator resumes it.");
    return OperatorAction.by(ACTOR, "its status in the source was " + shown);
  }

  private @Nullable OperatorAction told(SequenceStatus status) {
    String newest =
        workflow.past().newest() == null ? "" : ", execution " + workflow.past().newest();
    switch (status) {
      case IN_PROGRESS ->
          notes.add(
              "It was running"
                  + newest
                  + ". That run is not taken over: what it was for is run here from the first task."
                  + " If it may still end in the source, let it end, and import then.");
      case ERROR, TASK_INITIALIZE_ERROR ->
          notes.add(
              "Its last run failed"
                  + newest
                  + "; what that was for is run here from the first task.");
      case ABORTED -> {
        notes.add(
            "It is ABORTED"
                + newest
                + ", so it is paused. Mend the cause, then resume it: millrace sequences resume "
                + workflow.id());
        return OperatorAction.by(ACTOR, "it was ABORTED in the source" + newest);
      }
      default -> {}
    }
    return null;
  }

  private @Nullable Instant nextRun(
      @Nullable SequenceStatus status, @Nullable Instant next, @Nullable Instant lastRun) {
    boolean once = !schedule.recurs();
    if (once && status == SequenceStatus.COMPLETED) {
      notes.add("It has run and does not recur; it does not run again by itself.");
      return null;
    }
    if (ScheduleTranslation.isOnetime(schedule)) {
      return schedule.first(now);
    }
    if (next == null) {
      Instant first = schedule.first(now);
      notes.add("The source has no next run for it; it begins as a new one does.");
      return first;
    }
    if (isReported(status, next, lastRun)) {
      notes.add(
          "Its first daily run left the next run at "
              + next
              + " in the source, which would report the same day again; it goes on with the day"
              + " after.");
      return schedule.next(next);
    }
    Instant slot = schedule.nearestSlot(next);
    if (!next.equals(slot)) {
      notes.add(
          "Its next run "
              + next
              + " is none of its schedule; "
              + (slot == null ? "none comes after it." : "it goes on with that at " + slot + "."));
    }
    return slot;
  }

  /**
   * True if the day of the next run is already reported. The source does not move the next run of a
   * daily workflow after its first run.
   */
  private boolean isReported(
      @Nullable SequenceStatus status, Instant next, @Nullable Instant lastRun) {
    return status == SequenceStatus.COMPLETED
        && ScheduleTranslation.frequency(schedule) == Frequency.DAILY
        && workflow.past().executions() == 1
        && lastRun != null
        && !lastRun.isBefore(next);
  }

  private void overdue(@Nullable Instant nextRun) {
    if (nextRun == null || nextRun.isAfter(now)) {
      return;
    }
    SlotPage due = schedule.between(nextRun, now, MAX_COUNTED);
    int count = due.slots().size();
    if (count > 1 && schedule.recurs()) {
      notes.add(
          (due.more() ? "More than " + count : "" + count)
              + " of its runs are overdue: the latest is run at once, the others are recorded as"
              + " missed, and can be backfilled.");
    } else {
      notes.add("It is due, and runs at once.");
    }
  }
}
