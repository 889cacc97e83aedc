package io.millrace.benchmarks.process;

/** What one process of a workload does; needs a constructor without parameters. */
@FunctionalInterface
public interface Part {
  void play(Stage stage) throws Exception;
}
