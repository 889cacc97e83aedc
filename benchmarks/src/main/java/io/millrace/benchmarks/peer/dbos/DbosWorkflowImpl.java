package io.millrace.benchmarks.peer.dbos;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.workflow.Workflow;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.WorkType;

/** The implementation of the workflow. */
final class DbosWorkflowImpl implements DbosWorkflow {

  private final DBOS dbos;
  private final Probe probe;

  DbosWorkflowImpl(DBOS dbos, Probe probe) {
    this.dbos = dbos;
    this.probe = probe;
  }

  @Override
  @Workflow(name = WORKFLOW)
  public void work(String name, String payload) {
    WorkType workType = WorkType.valueOf(name);
    if (workType.steps() == 1) {
      // The end of the workflow is the record of its only step.
      probe.handle(workType, 1, payload);
      return;
    }
    for (int i = 1; i <= workType.steps(); i++) {
      int step = i;
      dbos.runStep(() -> probe.handle(workType, step, payload), "step" + step);
    }
  }
}
