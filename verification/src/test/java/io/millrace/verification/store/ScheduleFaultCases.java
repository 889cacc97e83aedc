package io.millrace.verification.store;

import static io.millrace.verification.store.FaultCase.operation;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.ActionType;
import io.millrace.instance.InstanceStatus;
import io.millrace.store.DeedCommand;
import io.millrace.store.ScheduleStore;
import io.millrace.store.ScheduleStore.Fired;
import io.millrace.store.ScheduleStore.Firing;
import io.millrace.store.ScheduleStore.NewFire;
import io.millrace.store.ScheduleStore.Outcome;
import io.millrace.store.ScheduleStore.StoredWorkflow;
import io.millrace.store.TaskStore;
import io.millrace.store.TaskStore.Change;
import io.millrace.store.TaskStore.ShapeState;
import io.millrace.store.TaskStore.StoredTask;
import io.millrace.store.TaskStore.Work;
import io.millrace.verification.store.FaultCase.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Tasks, schedules, and what becomes of slots. */
final class ScheduleFaultCases {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final List<ShapeState> STATES = List.of(new ShapeState("first", 1, 1, -1));

  private ScheduleFaultCases() {}

  static Stream<FaultCase> all() {
    return Stream.of(tasks(), workflows(), slots()).flatMap(cases -> cases);
  }

  private static Stream<FaultCase> tasks() {
    return Stream.of(
        operation("add a workflow type", s -> tasks(s, t -> t.addType("new"))),
        operation(
            "remove a workflow type",
            s -> {
              s.direct.tasks().addType("old");
              return tasks(s, t -> t.removeType("old"));
            }),
        operation("add a task", s -> tasks(s, t -> t.add(task(0, "new", 0)))),
        operation(
            "change a task",
            s -> {
              int id = task(s);
              return tasks(s, t -> t.update(task(id, "other", 1)));
            }),
        operation(
            "remove a task",
            s -> {
              int id = task(s);
              return tasks(s, t -> t.remove(id));
            }),
        operation(
            "tell that workflows have a change of a task",
            s -> {
              int id = task(s);
              s.direct.tasks().update(task(id, "other", 1));
              return tasks(s, t -> t.reshaped(id, 2));
            }),
        operation("add a shape", s -> tasks(s, t -> t.shape("type", "print", "{}", STATES))),
        operation(
            "read tasks",
            s -> {
              int id = task(s);
              return tasks(
                  s,
                  t -> {
                    t.types();
                    t.find(id);
                    t.tasks();
                    t.reshaped(id);
                    t.shapesAfter(0, 10);
                  });
            }));
  }

  private static StoredTask task(int id, String name, int revision) {
    return new StoredTask(id, name, "type of " + name, new Work("c", "class"), 0, "{}", revision);
  }

  private static int task(FaultScene scene) {
    return ((Change.Done) scene.direct.tasks().add(task(0, "task", 0))).id();
  }

  private static Attempt tasks(FaultScene scene, Consumer<TaskStore> call) {
    return Attempt.again(() -> call.accept(scene.faulty.tasks()));
  }

  private static Stream<FaultCase> workflows() {
    return Stream.of(
        operation(
            "add a workflow",
            s -> {
              StoredWorkflow workflow = workflow(s, "w").build();
              return schedules(s, store -> store.add(workflow));
            }),
        operation(
            "change a workflow",
            s -> {
              StoredWorkflow before = due(s, "w");
              WorkflowSpec changed = WorkflowSpec.of(before).paused("ann", "holidays");
              return schedules(s, store -> store.update(changed.build()));
            }),
        operation(
            "change a workflow and leave slots behind",
            s -> {
              StoredWorkflow changed = due(s, "w");
              NewFire left =
                  WorkflowSpec.unfired(s.clock.instant(), Outcome.MISSED, "was changed", 1);
              return schedules(s, store -> store.update(changed, List.of(left)));
            }),
        operation(
            "remove a workflow",
            s -> {
              ended(s, InstanceStatus.FINISHED);
              return schedules(s, store -> store.remove("w"));
            }),
        operation(
            "read workflows",
            s -> {
              fired(s);
              Instant now = s.clock.instant();
              int task = s.direct.tasks().tasks().getFirst().id();
              return schedules(
                  s,
                  store -> {
                    assertThat(store.find("w")).isPresent();
                    assertThat(store.added("w")).isPresent();
                    assertThat(store.list(null, "W", null, 10)).hasSize(1);
                    store.nextDue("group");
                    assertThat(store.withTask(task, null, 10)).hasSize(1);
                    assertThat(store.fires("w", null, 10)).hasSize(1);
                    assertThat(store.firesBetween(now, now.plus(HOUR), 10)).hasSize(1);
                    assertThat(store.newestFires(List.of("w"), 10)).hasSize(1);
                    assertThat(store.nextRuns(10)).hasSize(1);
                    store.history("w", null, 10);
                  });
            }));
  }

  private static Stream<FaultCase> slots() {
    return Stream.of(
        operation(
            "fire what is due",
            s -> {
              due(s, "a");
              due(s, "b");
              due(s, "left");
              return schedules(s, store -> fire(s, store));
            }),
        operation(
            "fire a workflow and cancel its execution",
            s -> {
              long before = fired(s);
              StoredWorkflow workflow = s.direct.schedules().find("w").orElseThrow();
              Firing firing =
                  WorkflowSpec.fire(workflow)
                      .start(s.clock.instant().plus(HOUR), 0, s.instance())
                      .fire(
                          WorkflowSpec.unfired(s.clock.instant(), Outcome.SKIPPED, "a holiday", 3))
                      .cancel(before, "the next run is due")
                      .build();
              return schedules(s, store -> store.fire(firing));
            }),
        operation(
            "settle",
            s -> {
              ended(s, InstanceStatus.FINISHED);
              return schedules(s, store -> store.settle(10));
            }),
        operation(
            "resume an execution whose schedule rests",
            s -> {
              long execution = ended(s, InstanceStatus.FAILED);
              s.direct.schedules().settle(10);
              return Attempt.unless(
                  () -> s.hasDeed(execution, ActionType.RETRY),
                  () ->
                      s.faulty
                          .operators()
                          .apply(execution, new DeedCommand.Retry(), FaultScene.DEED));
            }),
        operation(
            "delete fires",
            s -> {
              StoredWorkflow workflow = due(s, "w");
              Firing left =
                  WorkflowSpec.fire(workflow)
                      .fire(WorkflowSpec.unfired(s.clock.instant(), Outcome.MISSED, "was down", 1))
                      .build();
              s.direct.schedules().fire(left);
              s.clock.advance(HOUR.multipliedBy(2));
              return Attempt.again(() -> s.faulty.retention().deleteFires(HOUR, 10));
            }));
  }

  private static WorkflowSpec workflow(FaultScene scene, String id) {
    return new WorkflowSpec(id, "type of task").tasks(task(scene));
  }

  private static StoredWorkflow due(FaultScene scene, String id) {
    List<StoredTask> tasks = scene.direct.tasks().tasks();
    int task = tasks.isEmpty() ? task(scene) : tasks.getFirst().id();
    WorkflowSpec spec = new WorkflowSpec(id, "type of task").tasks(task);
    scene.direct.schedules().add(spec.next(scene.clock.instant()).build());
    return scene.direct.schedules().find(id).orElseThrow();
  }

  /** The execution of a workflow {@code w}. */
  private static long fired(FaultScene scene) {
    due(scene, "w");
    return fire(scene, scene.direct.schedules()).executions().get("w");
  }

  private static long ended(FaultScene scene, InstanceStatus status) {
    long execution = fired(scene);
    scene.direct.work().claim(scene.claim(10));
    scene.saved(scene.move(scene.read(execution)).end(status));
    return execution;
  }

  private static Fired fire(FaultScene scene, ScheduleStore store) {
    return store.fire(
        "group",
        10,
        (now, due) ->
            due.stream()
                .filter(workflow -> !workflow.workflowId().equals("left"))
                .map(workflow -> next(scene, workflow))
                .toList());
  }

  private static Firing next(FaultScene scene, StoredWorkflow workflow) {
    Instant slot = workflow.times().nextRun();
    return WorkflowSpec.fire(workflow)
        .start(slot, 0, scene.instance())
        .next(slot.plus(HOUR), null)
        .build();
  }

  private static Attempt schedules(FaultScene scene, Consumer<ScheduleStore> call) {
    return Attempt.again(() -> call.accept(scene.faulty.schedules()));
  }
}
