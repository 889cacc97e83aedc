package io.millrace.imports;

import io.millrace.instance.InvalidRequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Order of the tasks of a workflow of the source. */
final class TaskOrder {

  private static final int NO_TASK = -1;

  private TaskOrder() {}

  /**
   * Returns the ids of the tasks in their order. The source states the order twice, by numbers and
   * by the next task of each; both must agree.
   *
   * @param known the ids of all tasks of the source
   * @param notes receives what was unusual but clear
   */
  static List<Integer> of(SourceSequence workflow, Set<Integer> known, List<String> notes) {
    List<SourceSequence.SequenceTask> sequenceTasks = workflow.sequenceTasks();
    if (sequenceTasks.isEmpty()) {
      throw new InvalidRequestException("It has no tasks, so there is nothing to run.");
    }
    List<Integer> ids = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (SourceSequence.SequenceTask sequenceTask : sequenceTasks) {
      if (sequenceTask.sequence() == null || sequenceTask.taskId() == null) {
        throw new InvalidRequestException("A row of its task sequence names no task, or no place.");
      }
      if (numbers.contains(sequenceTask.sequence())) {
        throw new InvalidRequestException(
            "Its task sequence has the number "
                + sequenceTask.sequence()
                + " twice, so that the order of its tasks is not clear.");
      }
      if (!known.contains(sequenceTask.taskId())) {
        throw new InvalidRequestException(
            "Its task " + sequenceTask.taskId() + " does not exist in the source.");
      }
      numbers.add(sequenceTask.sequence());
      ids.add(sequenceTask.taskId());
    }
    requireChain(sequenceTasks, ids, known, notes);
    if (numbers.getFirst() != 1 || numbers.getLast() != numbers.size()) {
      notes.add("Its tasks are numbered " + joined(numbers) + "; here 1 to " + ids.size() + ".");
    }
    return ids;
  }

  private static void requireChain(
      List<SourceSequence.SequenceTask> sequenceTasks,
      List<Integer> ids,
      Set<Integer> known,
      List<String> notes) {
    for (int i = 0; i < ids.size(); i++) {
      int expected = i + 1 < ids.size() ? ids.get(i + 1) : NO_TASK;
      Integer next = sequenceTasks.get(i).nextTask();
      boolean end = expected == NO_TASK && (next == null || next == 0);
      if (end) {
        notes.add("Column nexttask of its last task is " + next + ", taken for -1, the end.");
      } else if (next == null || next != expected) {
        throw new InvalidRequestException(
            "By number its tasks are "
                + joined(ids)
                + ", but after task "
                + ids.get(i)
                + " column nexttask has "
                + said(next, known)
                + ".");
      }
    }
  }

  private static String said(@Nullable Integer next, Set<Integer> known) {
    if (next == null) {
      return "nothing";
    }
    return next == NO_TASK || known.contains(next) ? "" + next : next + ", which does not exist";
  }

  private static String joined(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
