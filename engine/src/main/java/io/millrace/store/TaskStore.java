package io.millrace.store;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The registered types and tasks, and the compiled sequences. A rejected change has no effect. */
public interface TaskStore {

  /** Adds a sequence type; does nothing if it exists. */
  void addType(String type);

  /** Removes a type that no task and no sequence has. */
  ChangeResult removeType(String type);

  /** Returns all types by name. */
  List<String> types();

  /**
   * Adds a task, and its type if that is missing.
   *
   * @param task its id and revision are ignored
   */
  ChangeResult add(StoredTask task);

  /**
   * Replaces the task of this id if it still has this revision; its type cannot be changed while a
   * sequence uses it.
   */
  ChangeResult update(StoredTask task);

  /** Removes a task that no sequence uses. */
  ChangeResult remove(int taskId);

  Optional<StoredTask> find(int taskId);

  /** Returns all tasks by id. */
  List<StoredTask> tasks();

  /**
   * Returns the revision of a task that all sequences with it have. It is less than the task's own
   * revision while a change is under way, or was interrupted. 0 for a missing task.
   */
  int appliedRevision(int taskId);

  /** Records that all sequences with a task have this revision of it, or a newer one. */
  void recordAppliedRevision(int taskId, int revision);

  /**
   * Returns the compiled sequence with this fingerprint. A missing one is added with the next free
   * version of its type, from 1.
   */
  StoredCompiledSequence compiledSequence(
      String type, String fingerprint, String document, List<CompiledState> states);

  /** Returns compiled sequences with a greater id, by id, at most {@code limit}. */
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
   * @param channel at most 255 characters; null if the task has none
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
   * The task for which a state of a compiled sequence stands.
   *
   * @param position of the task in the sequence, from 1
   * @param nextTask the next task's id; -1 for none
   */
  record CompiledState(String state, int position, int taskId, int nextTask) {}

  /** The result of a change. */
  sealed interface ChangeResult {
    /** The change was made; {@code revision} is the new one. */
    record Done(int id, int revision) implements ChangeResult {}

    /** The name belongs to the task of this id. */
    record NameTaken(int id) implements ChangeResult {}

    /** The object was changed concurrently; {@code revision} is the current one. */
    record Stale(int revision) implements ChangeResult {}

    /** The object is in use; names at most ten users. */
    record InUse(List<String> by) implements ChangeResult {}

    record Missing() implements ChangeResult {}
  }
}
