package io.millrace.benchmarks.peer.dbos;

/** The workflow, started by the process that also runs it. */
interface DbosWorkflow {
  /** Name by which the client starts the workflow. */
  String WORKFLOW = "work";

  void work(String work, String payload);
}
