package io.millrace.benchmarks.process;

/**
 * The role of one process in a workload; an implementation needs a constructor without parameters.
 */
@FunctionalInterface
public interface ProcessRole {
  void run(RoleContext roleContext) throws Exception;
}
