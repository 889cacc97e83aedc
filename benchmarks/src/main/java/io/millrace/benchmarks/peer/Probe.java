package io.millrace.benchmarks.peer;

/** Is called by every handler, on the thread that runs it; thread-safe. */
@FunctionalInterface
public interface Probe {
  /**
   * A handler runs.
   *
   * @param step from 1 to {@link WorkType#steps()}
   * @param payload what the work was enqueued with
   */
  void handle(WorkType workType, int step, String payload);
}
