package io.millrace.benchmarks.peer;

/** A callback that every handler calls on the thread that runs it; thread-safe. */
@FunctionalInterface
public interface Probe {
  /**
   * Records that a handler runs.
   *
   * @param step from 1 to {@link WorkType#steps()}
   * @param payload payload with which the work was enqueued
   */
  void handle(WorkType workType, int step, String payload);
}
