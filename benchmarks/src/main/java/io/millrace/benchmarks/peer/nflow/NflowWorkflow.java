package io.millrace.benchmarks.peer.nflow;

import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.WorkType;
import io.nflow.engine.workflow.curated.State;
import io.nflow.engine.workflow.definition.NextAction;
import io.nflow.engine.workflow.definition.StateExecution;
import io.nflow.engine.workflow.definition.WorkflowDefinition;
import io.nflow.engine.workflow.definition.WorkflowSettings;
import io.nflow.engine.workflow.definition.WorkflowState;
import io.nflow.engine.workflow.definition.WorkflowStateType;
import java.util.List;

/** A workflow whose methods the engine finds by the names of its states, so it must be public. */
public final class NflowWorkflow extends WorkflowDefinition {

  private static final List<WorkflowState> STEPS =
      List.of(
          new State("step1", WorkflowStateType.start),
          new State("step2"),
          new State("step3"),
          new State("step4"),
          new State("step5"));
  private static final WorkflowState DONE = new State("done", WorkflowStateType.end);
  private static final WorkflowState FAILED = new State("failed", WorkflowStateType.manual);

  private final WorkType workType;
  private final Probe probe;

  NflowWorkflow(WorkType workType, Probe probe) {
    super(
        workType.name(),
        STEPS.getFirst(),
        FAILED,
        new WorkflowSettings.Builder().build(),
        null,
        List.of());
    this.workType = workType;
    this.probe = probe;
    for (int step = 1; step <= workType.steps(); step++) {
      permit(STEPS.get(step - 1), step == workType.steps() ? DONE : STEPS.get(step));
    }
  }

  public NextAction step1(StateExecution execution) {
    return handle(1, execution);
  }

  public NextAction step2(StateExecution execution) {
    return handle(2, execution);
  }

  public NextAction step3(StateExecution execution) {
    return handle(3, execution);
  }

  public NextAction step4(StateExecution execution) {
    return handle(4, execution);
  }

  public NextAction step5(StateExecution execution) {
    return handle(5, execution);
  }

  private NextAction handle(int step, StateExecution execution) {
    probe.handle(workType, step, execution.getBusinessKey());
    return step == workType.steps()
        ? NextAction.stopInState(DONE, "all steps done")
        : NextAction.moveToState(STEPS.get(step), "step done");
  }
}
