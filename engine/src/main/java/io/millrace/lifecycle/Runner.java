package io.millrace.lifecycle;

/** Where the engine gets its concurrency from. Thread-safe. */
public interface Runner {

  /**
   * Starts a loop; its first round runs at once.
   *
   * @param name shown as thread name
   */
  Loop loop(String name, Loop.Work work);

  /**
   * Runs a task concurrently to the caller.
   *
   * @param name shown as thread name
   */
  Task run(String name, Runnable task);

  /** A resting place for threads of this runner and for callers of the engine. */
  Waiter waiter();
}
