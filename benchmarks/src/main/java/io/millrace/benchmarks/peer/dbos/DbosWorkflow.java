package io.millrace.benchmarks.peer.dbos;

/** The workflow, as it is started by the process that also runs it. */
interface DbosWorkflow {
  /** As the client names it. */
  String WORKFLOW = "work";

  void work(String work, String payload);
}
