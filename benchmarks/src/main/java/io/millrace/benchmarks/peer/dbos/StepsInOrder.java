package io.millrace.benchmarks.peer.dbos;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.workflow.Workflow;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.Work;

/** The implementation of the workflow. */
final class StepsInOrder implements Steps {

  private final DBOS dbos;
  private final Probe probe;

  StepsInOrder(DBOS dbos, Probe probe) {
    this.dbos = dbos;
    this.probe = probe;
  }

  @Override
  @Workflow(name = WORKFLOW)
  public void work(String name, String payload) {
    Work work = Work.valueOf(name);
    if (work.steps() == 1) {
      // The end of the workflow is the record of its only step.
      probe.handle(work, 1, payload);
      return;
    }
    for (int i = 1; i <= work.steps(); i++) {
      int step = i;
      dbos.runStep(() -> probe.handle(work, step, payload), "step" + step);
    }
  }
}
