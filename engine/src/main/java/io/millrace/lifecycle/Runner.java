package io.millrace.lifecycle;

/** The source of the engine's threads. Thread-safe. */
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
  RunningTask run(String name, Runnable task);

  /**
   * Runs a task concurrently to the caller on a platform thread. It makes progress even while other
   * tasks occupy all processors.
   *
   * @param name shown as thread name
   */
  default RunningTask runOnPlatform(String name, Runnable task) {
    return run(name, task);
  }

  /**
   * Runs a task as {@link #runOnPlatform} does, on a thread that other tasks may have used before.
   * For tasks that are too many for a new thread each.
   *
   * @param name shown as thread name
   */
  default RunningTask runOnPool(String name, Runnable task) {
    return runOnPlatform(name, task);
  }

  /** Returns a waiter for threads of this runner and for callers of the engine. */
  Waiter waiter();
}
