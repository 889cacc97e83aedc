package io.millrace.tests.store;

import static io.millrace.tests.store.FaultCase.operation;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StoredSequenceSpec;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.store.OperatorCommand;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.FireBatchResult;
import io.millrace.store.SequenceStore.FirePlan;
import io.millrace.store.SequenceStore.SlotOutcome;
import io.millrace.store.SequenceStore.SlotRecord;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.TaskStore;
import io.millrace.store.TaskStore.ChangeResult;
import io.millrace.store.TaskStore.CompiledState;
import io.millrace.store.TaskStore.HandlerReference;
import io.millrace.store.TaskStore.StoredTask;
import io.millrace.tests.store.FaultCase.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Fault cases of tasks, schedules, and slots. */
final class ScheduleFaultCases {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final List<CompiledState> STATES = List.of(new CompiledState("first", 1, 1, -1));

  private ScheduleFaultCases() {}

  static Stream<FaultCase> all() {
    return Stream.of(tasks(), sequences(), slots()).flatMap(cases -> cases);
  }

  private static Stream<FaultCase> tasks() {
    return Stream.of(
        operation("add a sequence type", s -> tasks(s, t -> t.addType("new"))),
        operation(
            "remove a sequence type",
            s -> {
              s.direct.role(TaskStore.class).addType("old");
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
            "record the applied revision of a task",
            s -> {
              int id = task(s);
              s.direct.role(TaskStore.class).update(task(id, "other", 1));
              return tasks(s, t -> t.recordAppliedRevision(id, 2));
            }),
        operation(
            "add a compiled sequence",
            s -> tasks(s, t -> t.compiledSequence("type", "print", "{}", STATES))),
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
                    t.appliedRevision(id);
                    t.compiledSequencesAfter(0, 10);
                  });
            }));
  }

  private static StoredTask task(int id, String name, int revision) {
    return new StoredTask(
        id, name, "type of " + name, new HandlerReference("c", "class"), 0, "{}", revision);
  }

  private static int task(FaultFixture scene) {
    return ((ChangeResult.Done) scene.direct.role(TaskStore.class).add(task(0, "task", 0))).id();
  }

  private static Operation tasks(FaultFixture scene, Consumer<TaskStore> call) {
    return Operation.again(() -> call.accept(scene.faulty.role(TaskStore.class)));
  }

  private static Stream<FaultCase> sequences() {
    return Stream.of(
        operation(
            "add a sequence",
            s -> {
              StoredSequence sequence = sequence(s, "w").build();
              return schedules(s, store -> store.add(sequence));
            }),
        operation(
            "change a sequence",
            s -> {
              StoredSequence before = due(s, "w");
              StoredSequenceSpec changed = StoredSequenceSpec.of(before).paused("ann", "holidays");
              return schedules(s, store -> store.update(changed.build()));
            }),
        operation(
            "change a sequence and leave slots behind",
            s -> {
              StoredSequence changed = due(s, "w");
              SlotRecord unfired =
                  StoredSequenceSpec.notFired(
                      s.clock.instant(), SlotOutcome.MISSED, "was changed", 1);
              return schedules(s, store -> store.update(changed, List.of(unfired)));
            }),
        operation(
            "remove a sequence",
            s -> {
              ended(s, InstanceStatus.FINISHED);
              return schedules(s, store -> store.remove("w"));
            }),
        operation(
            "go on with the removal of a sequence",
            s -> {
              halfRemoved(s);
              return Operation.again(() -> s.faulty.role(SequenceStore.class).resumeRemovals());
            }),
        operation(
                "add a sequence whose id is half removed",
                s -> {
                  StoredSequence sequence = halfRemoved(s);
                  return schedules(s, store -> store.add(sequence));
                })
            .committingFirst(s -> s.direct.role(SequenceStore.class).resumeRemovals()),
        operation(
            "read sequences",
            s -> {
              fired(s);
              Instant now = s.clock.instant();
              int task = s.direct.role(TaskStore.class).tasks().getFirst().id();
              return schedules(
                  s,
                  store -> {
                    assertThat(store.find("w")).isPresent();
                    assertThat(store.added("w")).isPresent();
                    assertThat(store.list(null, "W", null, 10)).hasSize(1);
                    store.nextDue("group");
                    assertThat(store.withTask(task, null, 10)).hasSize(1);
                    assertThat(store.slotRecords("w", null, 10)).hasSize(1);
                    assertThat(store.slotRecordsBetween(now, now.plus(HOUR), 10)).hasSize(1);
                    assertThat(store.newestSlotRecords(List.of("w"), 10)).hasSize(1);
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
            "fire a sequence and cancel its execution",
            s -> {
              long before = fired(s);
              StoredSequence sequence = s.direct.role(SequenceStore.class).find("w").orElseThrow();
              FirePlan firePlan =
                  StoredSequenceSpec.fire(sequence)
                      .start(s.clock.instant().plus(HOUR), 0, s.instance())
                      .fire(
                          StoredSequenceSpec.notFired(
                              s.clock.instant(), SlotOutcome.SKIPPED, "a holiday", 3))
                      .cancel(before, "the next run is due")
                      .build();
              return schedules(s, store -> store.writeFire(firePlan));
            }),
        operation(
            "complete fires",
            s -> {
              ended(s, InstanceStatus.FINISHED);
              return schedules(s, store -> store.recordEnds(10));
            }),
        operation(
            "resume an execution whose schedule rests",
            s -> {
              long execution = ended(s, InstanceStatus.FAILED);
              s.direct.role(SequenceStore.class).recordEnds(10);
              return Operation.unless(
                  () -> s.hasAction(execution, HistoryEntryType.RETRY),
                  () ->
                      s.faulty
                          .operators()
                          .apply(execution, new OperatorCommand.Retry(), FaultFixture.ACTION));
            }),
        operation(
            "delete fires",
            s -> {
              StoredSequence sequence = due(s, "w");
              FirePlan unfired =
                  StoredSequenceSpec.fire(sequence)
                      .fire(
                          StoredSequenceSpec.notFired(
                              s.clock.instant(), SlotOutcome.MISSED, "was down", 1))
                      .build();
              s.direct.role(SequenceStore.class).writeFire(unfired);
              s.clock.advance(HOUR.multipliedBy(2));
              return Operation.again(
                  () -> s.faulty.role(SequenceStore.class).deleteSlotRecords(HOUR, 10));
            }));
  }

  private static StoredSequenceSpec sequence(FaultFixture scene, String id) {
    return new StoredSequenceSpec(id, "type of task").tasks(task(scene));
  }

  private static StoredSequence due(FaultFixture scene, String id) {
    List<StoredTask> tasks = scene.direct.role(TaskStore.class).tasks();
    int task = tasks.isEmpty() ? task(scene) : tasks.getFirst().id();
    StoredSequenceSpec spec = new StoredSequenceSpec(id, "type of task").tasks(task);
    scene.direct.role(SequenceStore.class).add(spec.next(scene.clock.instant()).build());
    return scene.direct.role(SequenceStore.class).find(id).orElseThrow();
  }

  /** Returns the execution of a sequence {@code w}. */
  private static long fired(FaultFixture scene) {
    due(scene, "w");
    return fire(scene, scene.direct.role(SequenceStore.class)).executions().get("w");
  }

  private static long ended(FaultFixture scene, InstanceStatus status) {
    long execution = fired(scene);
    scene.direct.instances().claim(scene.claim(10));
    scene.saved(scene.move(scene.read(execution)).end(status));
    return execution;
  }

  /** A sequence {@code w} that is gone, and of which a fire is left. */
  private static StoredSequence halfRemoved(FaultFixture scene) {
    ended(scene, InstanceStatus.FINISHED);
    StoredSequence sequence = scene.direct.role(SequenceStore.class).find("w").orElseThrow();
    scene.execute(
        "DELETE FROM millrace_sequence_task",
        "DELETE FROM millrace_sequence",
        "INSERT INTO millrace_sequence_removal (sequence_id) VALUES ('w')");
    return sequence;
  }

  private static FireBatchResult fire(FaultFixture scene, SequenceStore store) {
    return store.fireDue(
        "group",
        10,
        (now, due) ->
            due.stream()
                .filter(sequence -> !sequence.sequenceId().equals("left"))
                .map(sequence -> next(scene, sequence))
                .toList());
  }

  private static FirePlan next(FaultFixture scene, StoredSequence sequence) {
    Instant slot = sequence.times().nextRun();
    return StoredSequenceSpec.fire(sequence)
        .start(slot, 0, scene.instance())
        .next(slot.plus(HOUR), null)
        .build();
  }

  private static Operation schedules(FaultFixture scene, Consumer<SequenceStore> call) {
    return Operation.again(() -> call.accept(scene.faulty.role(SequenceStore.class)));
  }
}
