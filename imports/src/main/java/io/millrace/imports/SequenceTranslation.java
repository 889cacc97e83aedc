package io.millrace.imports;

import io.millrace.instance.InvalidRequestException;
import io.millrace.schedule.Schedule;
import io.millrace.schedule.ScheduleMapper;
import io.millrace.sequence.ImportedState;
import io.millrace.sequence.ScheduledSequence;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A workflow of the source, translated to a task sequence.
 *
 * @param importedState the state from which it continues
 * @param notes what differs here, and what an operator must know
 */
record SequenceTranslation(TaskSequence sequence, ImportedState importedState, List<String> notes) {

  /**
   * The tasks of the source.
   *
   * @param all the ids of all tasks
   * @param taken the imported tasks, by id
   */
  record Tasks(Set<Integer> all, Map<Integer, Task> taken) {}

  /**
   * Translates a workflow.
   *
   * @throws InvalidRequestException when there is no equivalent task sequence; the message says why
   */
  static SequenceTranslation of(SourceSequence workflow, Tasks tasks, Instant now) {
    List<String> notes = new ArrayList<>();
    List<Task> order = new ArrayList<>();
    for (int id : TaskOrder.of(workflow, tasks.all, notes)) {
      Task task = tasks.taken.get(id);
      if (task == null) {
        throw new InvalidRequestException("Its task " + id + " was refused; see there.");
      }
      order.add(task);
    }
    Instant next = SourceTimes.instant(workflow.when().nextRun(), "nextrun", notes);
    Schedule schedule = ScheduleTranslation.of(workflow.when(), next, notes);
    TaskSequence sequence =
        TaskSequence.of(workflow.id(), type(workflow, order, notes), schedule)
            .active(active(workflow.state(), notes));
    for (Task task : order) {
      sequence = sequence.task(task.name());
    }
    ImportedState importedState = ImportedStateMapper.of(workflow, schedule, next, now, notes);
    return new SequenceTranslation(sequence, importedState, List.copyOf(notes));
  }

  private static boolean active(SourceSequence.State state, List<String> notes) {
    if (state.active() == null) {
      notes.add("Column isactive is empty, taken for false.");
    }
    return Boolean.TRUE.equals(state.active());
  }

  /**
   * Returns the common type of the tasks. The source does not check the type of a workflow against
   * the types of its tasks.
   */
  private static String type(SourceSequence workflow, List<Task> tasks, List<String> notes) {
    String type = tasks.getFirst().type();
    for (Task task : tasks) {
      if (!task.type().equals(type) || !type.equalsIgnoreCase(of(workflow.type()))) {
        throw new InvalidRequestException(
            "It is of type '"
                + workflow.type()
                + "', but its task '"
                + task.name()
                + "' is of type '"
                + task.type()
                + "'; the tasks of a workflow have its type.");
      }
    }
    if (!type.equals(workflow.type())) {
      notes.add(
          "Its type is '"
              + workflow.type()
              + "' in the source, '"
              + type
              + "' here, as that of its tasks.");
    }
    return type;
  }

  private static @Nullable String of(@Nullable String type) {
    return type == null ? null : TaskTranslation.type(type, new ArrayList<>());
  }

  /** Returns a short description of the translated workflow. */
  String words() {
    String next =
        importedState.nextRun() == null ? "no next run" : "next run " + importedState.nextRun();
    return schedule(sequence.schedule())
        + ", "
        + (importedState.pause() != null ? "paused" : sequence.active() ? "active" : "not active")
        + ", "
        + (importedState.runRequested() ? "to be run at once, " : "")
        + next;
  }

  private static String schedule(Schedule schedule) {
    return ScheduleMapper.write(schedule).toString();
  }

  /**
   * Returns the differences to a sequence that is already here. The state from which the sequence
   * continues is not compared, because it has changed since.
   */
  List<String> differences(TaskSequence here) {
    List<String> differences = new ArrayList<>();
    TaskTranslation.differ(differences, "type", here.type(), sequence.type());
    TaskTranslation.differ(differences, "tasks", names(here), names(sequence));
    TaskTranslation.differ(differences, "active", here.active(), sequence.active());
    if (!ScheduleTranslation.same(here.schedule(), sequence.schedule())) {
      TaskTranslation.differ(
          differences, "schedule", schedule(here.schedule()), schedule(sequence.schedule()));
    }
    return differences;
  }

  private static List<String> names(TaskSequence sequence) {
    return sequence.tasks().stream().map(TaskSequence.SequenceTask::task).toList();
  }

  /** Returns the existing sequence, changed to match the source; settings made here stay. */
  TaskSequence merged(ScheduledSequence here) {
    TaskSequence own = here.sequence();
    return new TaskSequence(
        own.sequenceId(),
        sequence.type(),
        names(own).equals(names(sequence)) ? own.tasks() : sequence.tasks(),
        ScheduleTranslation.same(own.schedule(), sequence.schedule())
            ? own.schedule()
            : sequence.schedule(),
        sequence.active(),
        own.parameters());
  }

  /** Returns the effect on the schedule; null when the schedule stays. */
  static @Nullable String scheduleChangeNote(ScheduledSequence before, TaskSequence after) {
    return before.sequence().schedule().equals(after.schedule())
        ? null
        : "Its schedule restarts, as if it were added now.";
  }
}
