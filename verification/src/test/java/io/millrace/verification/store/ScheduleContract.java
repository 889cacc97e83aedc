package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ScheduleStore.Fire;
import io.millrace.store.ScheduleStore.FireResult;
import io.millrace.store.ScheduleStore.Fired;
import io.millrace.store.ScheduleStore.Firing;
import io.millrace.store.ScheduleStore.StoredWorkflow;
import io.millrace.store.TaskStore.Change;
import io.millrace.store.TaskStore.StoredTask;
import io.millrace.store.TaskStore.Work;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Workflows of one test: their ids begin with its type, and nothing of them stays due. */
abstract class ScheduleContract extends StoreContract {

  /** A task of {@link #type}. */
  int task;

  ScheduleContract(StoreUnderTest subject) {
    super(subject);
  }

  @BeforeEach
  void addTask() {
    task = addTask("task");
  }

  int addTask(String name) {
    StoredTask added =
        new StoredTask(0, type + "_" + name, type, new Work("ch", "class"), 0, "{}", 0);
    return ((Change.Done) store.tasks().add(added)).id();
  }

  /** Tests share a store, and what is due or has ended is dealt with by whoever comes. */
  @AfterEach
  void leaveNothing() {
    while (store.schedules().settle(1000) > 0) {}
    for (StoredWorkflow workflow : store.schedules().list(null, null, null, 100_000)) {
      if (workflow.times().due() != null) {
        store.schedules().update(WorkflowSpec.of(workflow).times(null, null).build());
      }
    }
  }

  String id(String name) {
    return type + "_" + name;
  }

  WorkflowSpec workflow(String name) {
    return new WorkflowSpec(id(name), type).tasks(task).group(group);
  }

  StoredWorkflow add(WorkflowSpec spec) {
    StoredWorkflow workflow = spec.build();
    assertThat(store.schedules().add(workflow)).isEqualTo(new Change.Done(0, 1));
    return store.schedules().find(workflow.workflowId()).orElseThrow();
  }

  StoredWorkflow find(String name) {
    return store.schedules().find(id(name)).orElseThrow();
  }

  /** Fires the next slot; not due again before the execution has ended. */
  Firing next(StoredWorkflow workflow) {
    Instant slot = workflow.times().nextRun();
    return WorkflowSpec.fire(workflow)
        .start(slot, 0, instance())
        .next(slot.plus(HOUR), null)
        .build();
  }

  /** Fires the next slot of all that is due. */
  Fired fireAll() {
    return fireAll(group);
  }

  Fired fireAll(String executorGroup) {
    return store
        .schedules()
        .fire(executorGroup, 100, (now, due) -> due.stream().map(this::next).toList());
  }

  /** Adds a workflow whose slot is now, and fires it; answers with the execution. */
  long fired(String name) {
    add(workflow(name).next(now()));
    return fireAll().executions().get(id(name));
  }

  void end(long executionId, InstanceStatus status) {
    saved(move(claimed(executionId)).end(status));
  }

  /** The instance, claimed beside all others that are due. */
  WorkflowInstance claimed(long executionId) {
    claim(100);
    return read(executionId);
  }

  List<Fire> fires(String name) {
    return store.schedules().fires(id(name), null, 100);
  }

  FireResult fire(WorkflowSpec.FiringSpec firing) {
    return store.schedules().fire(firing.build());
  }

  static WorkflowSpec.FiringSpec firing(StoredWorkflow workflow) {
    return WorkflowSpec.fire(workflow);
  }
}
