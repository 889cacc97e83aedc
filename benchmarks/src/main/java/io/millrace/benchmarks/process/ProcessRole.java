package io.millrace.benchmarks.process;

/** What one process of a workload does; needs a constructor without parameters. */
@FunctionalInterface
public interface ProcessRole {
  void run(RoleContext roleContext) throws Exception;
}
