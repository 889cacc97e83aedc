package io.millrace.sequence;

/**
 * The work of a task, with hooks before and after it. An attempt is {@link #preProcess}, {@link
 * #execute}, {@link #postProcess}. Whatever one of them throws, an {@link Error} too, fails the
 * attempt, which then ends with {@link #onError} and is retried by the task's retry policy. An
 * object that serves several executions must be thread-safe.
 */
@FunctionalInterface
public interface TaskHandler {

  /** Does the work. */
  void execute(TaskContext task) throws Exception;

  /**
   * Called once for every component on every node, before its first execution there.
   *
   * @throws Exception any exception keeps the component from being used on this node until it is
   *     registered again
   */
  default void initialize() throws Exception {}

  /**
   * Returns true if attempts compute for long. They then run on platform threads, so that other
   * handlers get their share of the processors. The default is false.
   */
  default boolean cpuBound() {
    return false;
  }

  /** Called at the start of every attempt. */
  default void preProcess(TaskContext task) throws Exception {}

  /** Called when {@link #execute} has returned. */
  default void postProcess(TaskContext task) throws Exception {}

  /**
   * Called when an attempt has failed, also the last one. An exception of this method is logged and
   * changes nothing.
   */
  default void onError(TaskContext task, Throwable failure) throws Exception {}
}
