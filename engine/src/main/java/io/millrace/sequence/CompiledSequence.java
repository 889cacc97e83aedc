package io.millrace.sequence;

import io.millrace.codec.Codec;
import io.millrace.store.TaskStore.CompiledState;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a sequence in their order, shared by all sequences with the same tasks; becomes one
 * workflow definition. A changed task makes another definition, so that executions keep the one
 * they started with.
 */
record CompiledSequence(String type, List<CompiledTask> tasks) {

  /**
   * A task at its position.
   *
   * @param state the name of its state
   */
  record CompiledTask(String state, int taskId, Task task) {}

  CompiledSequence {
    tasks = List.copyOf(tasks);
  }

  /**
   * Returns the compiled sequence of tasks in their order. A repeated task gets a state of its own,
   * whose name is that of no other task.
   */
  static CompiledSequence of(String type, List<Integer> ids, List<Task> tasks) {
    List<CompiledTask> compiledTasks = new ArrayList<>();
    Map<String, Integer> times = new HashMap<>();
    Set<String> taken = tasks.stream().map(Task::name).collect(Collectors.toSet());
    for (int i = 0; i < tasks.size(); i++) {
      Task task = tasks.get(i);
      int time = times.merge(task.name(), 1, Integer::sum);
      String state = task.name();
      for (int number = time; time > 1 && !taken.add(state); number++) {
        state = task.name() + "." + number;
      }
      compiledTasks.add(new CompiledTask(state, ids.get(i), task));
    }
    return new CompiledSequence(type, compiledTasks);
  }

  String document(Codec codec) {
    return codec.encode(this);
  }

  /** Returns a fingerprint that is equal for equal compiled sequences. */
  static String fingerprint(String document) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(document.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java runtime has SHA-256", e);
    }
  }

  List<CompiledState> states() {
    List<CompiledState> states = new ArrayList<>();
    for (int i = 0; i < tasks.size(); i++) {
      states.add(new CompiledState(tasks.get(i).state, i + 1, tasks.get(i).taskId, nextTask(i)));
    }
    return states;
  }

  /** Returns the task with this state; empty if there is none. */
  Optional<CompiledTask> find(String state) {
    return tasks.stream().filter(compiledTask -> compiledTask.state.equals(state)).findFirst();
  }

  /** Returns the message for a state of an execution. */
  TaskMessage message(long executionId, String sequenceId, String state, boolean retry) {
    CompiledTask compiledTask = find(state).orElseThrow();
    int index = tasks.indexOf(compiledTask);
    return new TaskMessage(
        executionId, sequenceId, compiledTask.taskId, nextTask(index), index + 1, retry);
  }

  /** Returns the state that a message refers to; null if there is none. */
  @Nullable String stateOf(TaskMessage message) {
    int index = message.position() - 1;
    return index >= 0 && index < tasks.size() && tasks.get(index).taskId == message.currentTaskId()
        ? tasks.get(index).state
        : null;
  }

  int nextTask(int index) {
    return index + 1 < tasks.size() ? tasks.get(index + 1).taskId : TaskMessage.NO_TASK;
  }
}
