package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.FireBatchResult;
import io.millrace.store.SequenceStore.FirePlan;
import io.millrace.store.SequenceStore.FireResult;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.SequenceStore.StoredSlotRecord;
import io.millrace.store.TaskStore;
import io.millrace.store.TaskStore.ChangeResult;
import io.millrace.store.TaskStore.HandlerReference;
import io.millrace.store.TaskStore.StoredTask;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The base class of tests of sequences. The ids of a test's sequences start with its type, and none
 * stays due after the test.
 */
abstract class ScheduleContract extends StoreContract {

  /** A task of {@link #type}. */
  int task;

  ScheduleContract(StoreFixture subject) {
    super(subject);
  }

  @BeforeEach
  void addTask() {
    task = addTask("task");
  }

  int addTask(String name) {
    StoredTask added =
        new StoredTask(0, type + "_" + name, type, new HandlerReference("ch", "class"), 0, "{}", 0);
    return ((ChangeResult.Done) store.role(TaskStore.class).add(added)).id();
  }

  /**
   * Completes all fires and makes no sequence due, because tests share a store and any of them may
   * handle due sequences.
   */
  @AfterEach
  void leaveNothing() {
    while (store.role(SequenceStore.class).recordEnds(1000) > 0) {}
    for (StoredSequence sequence :
        store.role(SequenceStore.class).list(null, null, null, 100_000)) {
      if (sequence.times().due() != null) {
        store
            .role(SequenceStore.class)
            .update(StoredSequenceSpec.of(sequence).times(null, null).build());
      }
    }
  }

  String id(String name) {
    return type + "_" + name;
  }

  StoredSequenceSpec sequence(String name) {
    return new StoredSequenceSpec(id(name), type).tasks(task).group(group);
  }

  StoredSequence add(StoredSequenceSpec spec) {
    StoredSequence sequence = spec.build();
    assertThat(store.role(SequenceStore.class).add(sequence))
        .isEqualTo(new ChangeResult.Done(0, 1));
    return store.role(SequenceStore.class).find(sequence.sequenceId()).orElseThrow();
  }

  StoredSequence find(String name) {
    return store.role(SequenceStore.class).find(id(name)).orElseThrow();
  }

  /**
   * Returns a plan that fires the next slot, and is not due again before the execution has ended.
   */
  FirePlan next(StoredSequence sequence) {
    Instant slot = sequence.times().nextRun();
    return StoredSequenceSpec.fire(sequence)
        .start(slot, 0, instance())
        .next(slot.plus(HOUR), null)
        .build();
  }

  /** Fires the next slot of all due sequences. */
  FireBatchResult fireAll() {
    return fireAll(group);
  }

  FireBatchResult fireAll(String executorGroup) {
    return store
        .role(SequenceStore.class)
        .fire(executorGroup, 100, (now, due) -> due.stream().map(this::next).toList());
  }

  /** Adds a sequence whose slot is now, fires it, and returns the execution. */
  long addAndFire(String name) {
    add(sequence(name).next(now()));
    return fireAll().executions().get(id(name));
  }

  void end(long executionId, InstanceStatus status) {
    saveAccepted(transitionOf(claimed(executionId)).end(status));
  }

  /** Returns the instance, claimed together with all others that are due. */
  WorkflowInstance claimed(long executionId) {
    claim(100);
    return read(executionId);
  }

  List<StoredSlotRecord> slotRecords(String name) {
    return store.role(SequenceStore.class).slotRecords(id(name), null, 100);
  }

  FireResult fire(StoredSequenceSpec.FireSpec firePlan) {
    return store.role(SequenceStore.class).fire(firePlan.build());
  }

  static StoredSequenceSpec.FireSpec firePlan(StoredSequence sequence) {
    return StoredSequenceSpec.fire(sequence);
  }
}
