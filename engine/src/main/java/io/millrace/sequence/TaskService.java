package io.millrace.sequence;

import io.millrace.instance.ConflictException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.store.TaskStore;
import io.millrace.store.TaskStore.ChangeResult;
import io.millrace.store.TaskStore.StoredTask;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The sequence types and tasks, the same on all nodes. Thread-safe. Every method throws {@link
 * io.millrace.store.StoreException} if the database does not answer.
 */
public final class TaskService {

  private static final int SAVE_TRIES = 5;

  private final TaskStore store;
  private final SequenceMapper mapper;
  private final TaskTypeRules types;
  private volatile ChangeListener listener = task -> true;

  TaskService(TaskStore store, SequenceMapper mapper, TaskTypeRules types) {
    this.store = store;
    this.mapper = mapper;
    this.types = types;
  }

  /** A listener for changed tasks. */
  @FunctionalInterface
  interface ChangeListener {

    /**
     * Applies a changed task to the sequences that have it.
     *
     * @return true if all of them have the current form of the task
     */
    boolean apply(RegisteredTask task);
  }

  void onChange(ChangeListener listener) {
    this.listener = listener;
  }

  /**
   * Adds a sequence type; does nothing if it exists.
   *
   * @throws InvalidRequestException if the type is reserved for Millrace
   * @throws ConflictException if a workflow that is not made of tasks has it
   */
  public void addType(String type) {
    Task.name(type, "name of a sequence type");
    types.check(type);
    store.addType(type);
  }

  /** Removes a type that no task has. */
  public void removeType(String type) {
    switch (store.removeType(type)) {
      case ChangeResult.InUse used -> throw inUse("Sequence type '" + type + "'", used);
      case ChangeResult.Missing missing ->
          throw new UnknownNameException(
              "There is no sequence type '" + type + "'. Look at the list of types.");
      default -> {}
    }
  }

  /** Returns all types by name. */
  public List<String> types() {
    return store.types();
  }

  /**
   * Adds a task.
   *
   * @throws InvalidRequestException if its type is reserved for Millrace
   * @throws ConflictException if its name or its channel exists, or a workflow that is not made of
   *     tasks has its type
   */
  public RegisteredTask add(Task task) {
    types.check(task.type());
    checkChannel(0, task);
    return resultOf(task, 0, store.add(mapper.stored(0, 0, task)));
  }

  /** Adds a task, or updates the one of this name to match. */
  public RegisteredTask save(Task task) {
    for (int tries = 1; ; tries++) {
      try {
        return saveOnce(task);
      } catch (ConflictException e) {
        // Nodes that start at the same time register the same tasks.
        if (tries == SAVE_TRIES) {
          throw e;
        }
      }
    }
  }

  private RegisteredTask saveOnce(Task task) {
    Optional<RegisteredTask> present = find(task.name());
    if (present.isEmpty()) {
      return add(task);
    }
    if (!present.get().task().equals(task)) {
      return update(present.get().id(), present.get().revision(), task);
    }
    // The client that changed it may have crashed before all sequences had the change.
    if (store.appliedRevision(present.get().id()) < present.get().revision()) {
      propagate(present.get());
    }
    return present.get();
  }

  private void propagate(RegisteredTask task) {
    if (listener.apply(task)) {
      store.recordAppliedRevision(task.id(), task.revision());
    }
  }

  /**
   * Changes a task, with effect from the next execution of each sequence on.
   *
   * @param revision of the task on which the change is based
   * @throws ConcurrentUpdateException if it has another revision now
   */
  public RegisteredTask update(int id, int revision, Task task) {
    types.check(task.type());
    checkChannel(id, task);
    RegisteredTask result = resultOf(task, id, store.update(mapper.stored(id, revision, task)));
    propagate(result);
    return result;
  }

  /** Removes a task that no sequence has. */
  public void remove(int id) {
    switch (store.remove(id)) {
      case ChangeResult.InUse used -> throw inUse("Task " + id, used);
      case ChangeResult.Missing missing -> throw unknown(id);
      default -> {}
    }
  }

  /** Returns all tasks by id. */
  public List<RegisteredTask> list() {
    return store.tasks().stream().map(mapper::task).toList();
  }

  public Optional<RegisteredTask> find(String name) {
    return list().stream().filter(one -> one.task().name().equals(name)).findFirst();
  }

  Map<Integer, String> names() {
    return store.tasks().stream().collect(Collectors.toMap(StoredTask::id, StoredTask::name));
  }

  /** Returns the tasks of a sequence, in their order. */
  List<RegisteredTask> of(TaskSequence sequence) {
    types.check(sequence.type());
    Map<String, RegisteredTask> known = new HashMap<>();
    list().forEach(one -> known.put(one.task().name(), one));
    if (sequence.tasks().isEmpty()) {
      throw new InvalidRequestException(
          "Sequence '" + sequence.sequenceId() + "' has no tasks, expected at least one.");
    }
    List<RegisteredTask> tasks = new ArrayList<>();
    for (TaskSequence.SequenceTask sequenceTask : sequence.tasks()) {
      RegisteredTask task = known.get(sequenceTask.task());
      if (task == null) {
        throw new InvalidRequestException(
            "Sequence '"
                + sequence.sequenceId()
                + "' has the task '"
                + sequenceTask.task()
                + "', which is not registered. There are "
                + known.keySet().stream().sorted().limit(20).toList()
                + ".");
      }
      if (!task.task().type().equals(sequence.type())) {
        throw new InvalidRequestException(
            "Sequence '"
                + sequence.sequenceId()
                + "' is of type '"
                + sequence.type()
                + "', but its task '"
                + sequenceTask.task()
                + "' is of type '"
                + task.task().type()
                + "'; expected tasks of its own type.");
      }
      tasks.add(task);
    }
    return tasks;
  }

  /**
   * Rejects a channel as {@link #add} and {@link #save} do, and changes nothing.
   *
   * @param others existing tasks; one of the same name counts as the changed one
   * @throws InvalidRequestException if no task can have it
   * @throws ConflictException if another task conflicts with it
   */
  public static void checkChannel(Task task, Collection<Task> others) {
    if (task.channel() == null) {
      return;
    }
    if (task.channel().startsWith("amq.")) {
      throw new InvalidRequestException(
          "Task '"
              + task.name()
              + "' has the channel '"
              + task.channel()
              + "', expected one that does not begin with 'amq.', which RabbitMQ keeps for"
              + " itself.");
    }
    for (Task other : others) {
      checkQueue(task, other);
      if (!other.name().equals(task.name())
          && task.channel().equals(other.channel())
          && !(task.options().sharesChannel() && other.options().sharesChannel())) {
        throw new ConflictException(
            "Task '"
                + task.name()
                + "' has the channel '"
                + task.channel()
                + "' of task '"
                + other.name()
                + "'. Take another channel, or declare for both that they share theirs.");
      }
    }
  }

  /**
   * Rejects a channel of another task: two tasks on one channel would receive each other's messages
   * unnoticed.
   */
  private void checkChannel(int id, Task task) {
    if (task.channel() != null) {
      checkChannel(
          task,
          list().stream()
              .map(one -> one.id() == id ? named(one.task(), task.name()) : one.task())
              .toList());
    }
  }

  private static Task named(Task task, String name) {
    return new Task(name, task.type(), task.channel(), task.component(), task.options());
  }

  /**
   * Rejects different channels with the same queue name: the broker's name of a queue has '_' for
   * '.'.
   */
  private static void checkQueue(Task task, Task other) {
    String channel = Objects.requireNonNull(task.channel());
    String present = other.channel();
    if (present != null
        && !present.equals(channel)
        && present.replace('.', '_').equals(channel.replace('.', '_'))) {
      throw new ConflictException(
          "Task '"
              + task.name()
              + "' has the channel '"
              + channel
              + "', which would share a queue with the channel '"
              + present
              + "' of task '"
              + other.name()
              + "', since '.' becomes '_' in its name. Take another channel.");
    }
  }

  private RegisteredTask resultOf(Task task, int id, ChangeResult changeResult) {
    return switch (changeResult) {
      case ChangeResult.Done done -> new RegisteredTask(done.id(), done.revision(), task);
      case ChangeResult.NameTaken nameTaken ->
          throw new ConflictException(
              "There is a task '"
                  + task.name()
                  + "' already, number "
                  + nameTaken.id()
                  + ". Take another name, or change the one that is there.");
      case ChangeResult.Stale stale ->
          throw new ConcurrentUpdateException("task '" + task.name() + "'");
      case ChangeResult.InUse used -> throw inUse("Task '" + task.name() + "'", used);
      case ChangeResult.Missing missing -> throw unknown(id);
    };
  }

  private static ConflictException inUse(String what, ChangeResult.InUse used) {
    return inUse(what, used.by());
  }

  static ConflictException inUse(String what, List<String> by) {
    return new ConflictException(what + " is in use by " + by + ". Change or remove these first.");
  }

  private static UnknownNameException unknown(int id) {
    return new UnknownNameException(
        "There is no task with number " + id + ". Look at the list of tasks.");
  }
}
