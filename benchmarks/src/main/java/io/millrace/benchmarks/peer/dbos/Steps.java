package io.millrace.benchmarks.peer.dbos;

/** The workflow, as it is started by the process that also runs it. */
interface Steps {
  /** As the client names it. */
  String WORKFLOW = "work";

  void work(String work, String payload);
}
