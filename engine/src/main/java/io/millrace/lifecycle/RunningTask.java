package io.millrace.lifecycle;

import java.util.List;

/** A running piece of work of a {@link Runner}. Thread-safe. */
public interface RunningTask {

  /** Asks the task to end early by interrupting it; does nothing if it has ended. */
  void interrupt();

  /**
   * Returns the current stack, innermost frame first; empty if the task has ended or cannot be
   * inspected.
   */
  List<StackTraceElement> stackTrace();
}
