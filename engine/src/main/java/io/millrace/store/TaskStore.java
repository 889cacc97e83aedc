package io.millrace.store;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Types and tasks as registered, and the compiled sequences of the sequences that are made of them.
 * What is refused changes nothing.
 */
public interface TaskStore {

  /** Adds a sequence type; does nothing when it is there. */
  void addType(String type);

  /** Removes a type that no task and no sequence has. */
  ChangeResult removeType(String type);

  /** Returns all types by name. */
  List<String> types();

  /**
   * Adds a task. Its type is added when it is missing.
   *
   * @param task its id and revision are ignored
   */
  ChangeResult add(StoredTask task);

  /**
   * Replaces the task of this id when it still has this revision; its type cannot be changed while
   * a sequence uses it.
   */
  ChangeResult update(StoredTask task);

  /** Removes a task that no sequence uses. */
  ChangeResult remove(int taskId);

  Optional<StoredTask> find(int taskId);

  /** Returns all tasks by id. */
  List<StoredTask> tasks();

  /**
   * The revision of a task that all sequences with it have; less than its own while a change is
   * under way, or was cut short. 0 for a task that is not there.
   */
  int appliedRevision(int taskId);

  /** Writes down that all sequences with a task have this revision of it, or a newer one. */
  void appliedRevision(int taskId, int revision);

  /**
   * The compiled sequence with this fingerprint, added when it is missing with the next free
   * version of its type, from 1.
   */
  StoredCompiledSequence compiledSequence(
      String type, String fingerprint, String document, List<CompiledState> states);

  /** Compiled sequences with a greater id, by id, at most {@code limit}. */
  List<StoredCompiledSequence> compiledSequencesAfter(int id, int limit);

  /**
   * A task.
   *
   * @param name unique among all tasks, at most 100 characters
   * @param dependency orders tasks in lists
   * @param options JSON text
   * @param revision grows by one with every change, from 1
   */
  record StoredTask(
      int id,
      String name,
      String type,
      HandlerReference work,
      int dependency,
      String options,
      int revision) {}

  /**
   * The handler of a task.
   *
   * @param channel at most 255 characters; null when the task is reached without one
   * @param component the name of a class or of a handler, at most 500 characters
   */
  record HandlerReference(@Nullable String channel, String component) {}

  /**
   * A compiled sequence, shared by sequences with the same tasks in the same order; each is a
   * workflow definition.
   *
   * @param id grows with time
   * @param document JSON text
   */
  record StoredCompiledSequence(
      int id, String type, int version, String fingerprint, String document) {}

  /**
   * Which task a state of a compiled sequence stands for.
   *
   * @param sequence from 1
   * @param nextTask the next task's id; -1 for none
   */
  record CompiledState(String state, int sequence, int taskId, int nextTask) {}

  /** The result of a change. */
  sealed interface ChangeResult {
    /** Done; {@code revision} is the new one. */
    record Done(int id, int revision) implements ChangeResult {}

    /** The name is taken by the task of this id. */
    record NameTaken(int id) implements ChangeResult {}

    /** The object was changed concurrently; {@code revision} is the current one. */
    record Stale(int revision) implements ChangeResult {}

    /** The object is in use; names at most ten users. */
    record InUse(List<String> by) implements ChangeResult {}

    record Missing() implements ChangeResult {}
  }
}
