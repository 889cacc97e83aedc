package io.millrace.lifecycle;

import java.util.List;

/** A piece of work that a {@link Runner} has begun. Thread-safe. */
public interface RunningTask {

  /** Asks the task to end early by interrupting it; does nothing when it has ended. */
  void interrupt();

  /** Where the task is now, innermost frame first; empty when it has ended or cannot be seen. */
  List<StackTraceElement> stackTrace();
}
