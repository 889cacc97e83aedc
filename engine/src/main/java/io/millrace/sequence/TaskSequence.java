package io.millrace.sequence;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.instance.InvalidRequestException;
import io.millrace.schedule.Schedule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A scheduled list of tasks that run strictly one after another. Immutable; the methods return
 * changed copies.
 *
 * @param sequenceId unique; 1 to 150 letters, digits, '_', '.' or '-', for example {@code
 *     Report_1602842568}
 * @param type that of its tasks
 * @param tasks in their order; a task may come more than once
 * @param active false to run on request only
 * @param parameters for all its tasks
 */
public record TaskSequence(
    String sequenceId,
    String type,
    List<SequenceTask> tasks,
    Schedule schedule,
    boolean active,
    Map<String, Object> parameters) {

  /** Maximum number of tasks of a sequence. */
  public static final int MAX_TASKS = 100;

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.\\-]{0,149}");

  /**
   * A task at its position.
   *
   * @param task its name
   * @param parameters for the task here; those of the execution come first
   */
  public record SequenceTask(String task, Map<String, Object> parameters) {
    public SequenceTask {
      requirePresent(task, "The name of a task");
      parameters = parameters == null ? Map.of() : Map.copyOf(parameters);
    }
  }

  public TaskSequence {
    requirePresent(sequenceId, "The id of a sequence");
    Task.require(
        ID.matcher(sequenceId).matches(),
        "id of a sequence",
        sequenceId,
        "a letter or digit, then at most 149 letters, digits, '_', '.' or '-'");
    Task.name(type, "type of sequence '" + sequenceId + "'");
    tasks = List.copyOf(requirePresent(tasks, "The tasks of sequence '" + sequenceId + "'"));
    Task.require(
        tasks.size() <= MAX_TASKS,
        "number of tasks of sequence '" + sequenceId + "'",
        tasks.size(),
        "at most " + MAX_TASKS);
    requirePresent(schedule, "The schedule of sequence '" + sequenceId + "'");
    parameters = parameters == null ? Map.of() : Map.copyOf(parameters);
  }

  /** Returns an active sequence that has no tasks yet. */
  public static TaskSequence of(String sequenceId, String type, Schedule schedule) {
    return new TaskSequence(sequenceId, type, List.of(), schedule, true, Map.of());
  }

  /** Returns a copy with one more task at the end. */
  public TaskSequence task(String name) {
    return task(name, Map.of());
  }

  /** Returns a copy with one more task, with parameters, at the end. */
  public TaskSequence task(String name, Map<String, Object> taskParameters) {
    List<SequenceTask> more = new ArrayList<>(tasks);
    more.add(new SequenceTask(name, taskParameters));
    return new TaskSequence(sequenceId, type, more, schedule, active, parameters);
  }

  /**
   * Returns a copy with tasks at explicit positions.
   *
   * @throws InvalidRequestException if the positions are not 1, 2, 3 and so on
   */
  public TaskSequence tasks(Map<Integer, SequenceTask> byPosition) {
    List<SequenceTask> inOrder = new ArrayList<>();
    for (int position = 1; position <= byPosition.size(); position++) {
      @Nullable SequenceTask sequenceTask = byPosition.get(position);
      if (sequenceTask == null) {
        throw new InvalidRequestException(
            "Sequence '"
                + sequenceId
                + "' has tasks at the positions "
                + byPosition.keySet().stream().sorted().toList()
                + ", expected 1 to "
                + byPosition.size()
                + " without gaps; position "
                + position
                + " is missing.");
      }
      inOrder.add(sequenceTask);
    }
    return new TaskSequence(sequenceId, type, inOrder, schedule, active, parameters);
  }

  public TaskSequence schedule(Schedule other) {
    return new TaskSequence(sequenceId, type, tasks, other, active, parameters);
  }

  public TaskSequence active(boolean runs) {
    return new TaskSequence(sequenceId, type, tasks, schedule, runs, parameters);
  }

  public TaskSequence parameter(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(parameters);
    more.put(name, value);
    return new TaskSequence(sequenceId, type, tasks, schedule, active, more);
  }
}
