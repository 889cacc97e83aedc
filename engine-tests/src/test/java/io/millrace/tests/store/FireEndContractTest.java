package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.ScheduleContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.fixtures.store.StoredSequenceSpec;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.OperatorCommand;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.FireResult;
import io.millrace.store.SequenceStore.Flags;
import io.millrace.store.SequenceStore.LastExecution;
import io.millrace.store.SequenceStore.SequenceTimes;
import io.millrace.store.SequenceStore.SlotOutcome;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.SequenceStore.StoredSlotRecord;
import io.millrace.store.TaskStore.ChangeResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of a sequence whose execution has ended. */
class FireEndContractTest extends ScheduleContract {

  FireEndContractTest(StoreFixture subject) {
    super(subject);
  }

  @Test
  void whatFinishedGoesOnWithItsSchedule() {
    Instant slot = now();
    long execution = addAndFire("w");
    claimed(execution);
    assertThat(find("w").last().leased()).isTrue();
    assertThat(find("w").last().attempt()).isEqualTo(1);
    assertThat(store.role(SequenceStore.class).recordEnds(10)).isZero();
    advance(SECOND);
    saveAccepted(transitionOf(read(execution)).end(InstanceStatus.FINISHED));
    assertThat(find("w").last().endRecorded()).isFalse();
    advance(SECOND);

    assertThat(store.role(SequenceStore.class).recordEnds(10)).isEqualTo(1);

    StoredSequence after = find("w");
    Instant end = slot.plus(SECOND);
    assertThat(after.times()).isEqualTo(new SequenceTimes(slot.plus(HOUR), slot.plus(HOUR), end));
    assertThat(after.revision()).isEqualTo(3);
    assertThat(after.last().endRecorded()).isTrue();
    assertThat(after.last().status()).isEqualTo(InstanceStatus.FINISHED);
    assertThat(slotRecords("w").getFirst().ended()).isEqualTo(end);
    assertThat(slotRecords("w").getFirst().result()).isEqualTo(InstanceStatus.FINISHED);
    assertThat(store.role(SequenceStore.class).recordEnds(10)).isZero();
    assertThat(find("w")).isEqualTo(after);
  }

  @Test
  void completesNoMoreFiresThanItMay() {
    for (String name : List.of("a", "b", "c")) {
      end(addAndFire(name), InstanceStatus.FINISHED);
    }

    assertThat(store.role(SequenceStore.class).recordEnds(2)).isEqualTo(2);
    assertThat(store.role(SequenceStore.class).recordEnds(2)).isEqualTo(1);
  }

  @Test
  void whatIsDueEarlierStaysSo() {
    Instant soon = now().plusSeconds(30);
    end(addAndFire("w"), InstanceStatus.FINISHED);
    store
        .role(SequenceStore.class)
        .update(StoredSequenceSpec.of(find("w")).times(now().plus(HOUR), soon).build());

    store.role(SequenceStore.class).recordEnds(10);

    assertThat(find("w").times().due()).isEqualTo(soon);
  }

  @Test
  void whatFailedWaitsForAPerson() {
    end(addAndFire("w"), InstanceStatus.FAILED);

    assertThat(store.role(SequenceStore.class).recordEnds(10)).isEqualTo(1);

    assertThat(find("w").times().due()).isNull();
    assertThat(find("w").times().lastEnded()).isEqualTo(now());
    assertThat(slotRecords("w").getFirst().result()).isEqualTo(InstanceStatus.FAILED);
  }

  @Test
  void aPausedOrInactiveWorkflowStaysUndue() {
    end(addAndFire("paused"), InstanceStatus.FINISHED);
    end(addAndFire("inactive"), InstanceStatus.FINISHED);
    store
        .role(SequenceStore.class)
        .update(StoredSequenceSpec.of(find("paused")).paused("ann", null).build());
    store
        .role(SequenceStore.class)
        .update(StoredSequenceSpec.of(find("inactive")).inactive().build());

    assertThat(store.role(SequenceStore.class).recordEnds(10)).isEqualTo(2);

    assertThat(find("paused").times().due()).isNull();
    assertThat(find("inactive").times().due()).isNull();
  }

  @Test
  void whatIsWantedAtOnceIsDueAtTheEnd() {
    for (InstanceStatus end : List.of(InstanceStatus.FINISHED, InstanceStatus.FAILED)) {
      String name = end.code();
      long execution = addAndFire(name);
      store
          .role(SequenceStore.class)
          .update(
              StoredSequenceSpec.of(find(name))
                  .flags(new Flags(true, true, true, false, null, null))
                  .times(now().plus(HOUR), null)
                  .build());
      end(execution, end);
      advance(SECOND);

      store.role(SequenceStore.class).recordEnds(10);

      assertThat(find(name).times().due()).as(name).isEqualTo(now());
    }
  }

  @Test
  void whatIsRetriedAfterAllIsCompletedAgain() {
    Instant slot = now();
    long execution = addAndFire("w");
    end(execution, InstanceStatus.FAILED);
    store.role(SequenceStore.class).recordEnds(10);

    applyAccepted(read(execution), new OperatorCommand.Retry());

    assertThat(find("w").last().status()).isEqualTo(InstanceStatus.IN_PROGRESS);
    assertThat(find("w").last().endRecorded()).isFalse();
    assertThat(slotRecords("w").getFirst().ended()).isNull();
    assertThat(slotRecords("w").getFirst().result()).isNull();
    assertThat(store.role(SequenceStore.class).recordEnds(10)).isZero();
    assertThat(store.role(SequenceStore.class).remove(id("w")))
        .isInstanceOf(ChangeResult.InUse.class);
    advance(SECOND);
    end(execution, InstanceStatus.FINISHED);
    assertThat(store.role(SequenceStore.class).recordEnds(10)).isEqualTo(1);
    assertThat(find("w").times())
        .isEqualTo(new SequenceTimes(slot.plus(HOUR), slot, slot.plus(SECOND)));
    assertThat(slotRecords("w").getFirst().result()).isEqualTo(InstanceStatus.FINISHED);
  }

  private StoredSequence resting(String name, InstanceStatus status) {
    long execution = addAndFire(name);
    if (status == InstanceStatus.MANUAL) {
      WorkflowInstance instance = claimed(execution);
      saveAccepted(transitionOf(instance).status(InstanceStatus.MANUAL).due(NEVER));
    } else {
      end(execution, status);
    }
    store.role(SequenceStore.class).recordEnds(10);
    StoredSequence sequence = find(name);
    assertThat(sequence.times().due()).isNull();
    return sequence;
  }

  private void resumed(StoredSequence sequence, OperatorCommand command) {
    applyAccepted(read(sequence.last().executionId()), command);
  }

  private static OperatorCommand.Move moveTo(InstanceStatus status) {
    return new OperatorCommand.Move("other", status, Due.NOW, null, null);
  }

  @Test
  void theScheduleOfWhatIsResumedIsLookedAt() {
    int number = 0;
    for (InstanceStatus status : List.of(InstanceStatus.FAILED, InstanceStatus.MANUAL)) {
      for (OperatorCommand command :
          List.of(new OperatorCommand.Retry(), moveTo(InstanceStatus.IN_PROGRESS))) {
        String name = "w" + number++;
        StoredSequence before = resting(name, status);
        advance(SECOND);

        resumed(before, command);

        SequenceTimes times = find(name).times();
        assertThat(times)
            .as("%s from %s", command, status)
            .isEqualTo(
                new SequenceTimes(before.times().nextRun(), now(), before.times().lastEnded()));
        assertThat(find(name).last().resumed()).isTrue();
        assertThat(find(name).revision()).isEqualTo(before.revision() + 1);
        assertThat(store.role(SequenceStore.class).nextDue(group)).contains(now());
        store
            .role(SequenceStore.class)
            .update(StoredSequenceSpec.of(find(name)).times(null, null).build());
      }
    }
  }

  @Test
  void theScheduleOfWhatIsResumedRestsWhenItMayNotGoOn() {
    StoredSequence paused = resting("paused", InstanceStatus.FAILED);
    store
        .role(SequenceStore.class)
        .update(StoredSequenceSpec.of(paused).paused("ann", null).build());
    StoredSequence inactive = resting("inactive", InstanceStatus.FAILED);
    store.role(SequenceStore.class).update(StoredSequenceSpec.of(inactive).inactive().build());
    StoredSequence over = resting("over", InstanceStatus.FAILED);
    store.role(SequenceStore.class).update(StoredSequenceSpec.of(over).times(null, null).build());
    StoredSequence parked = resting("parked", InstanceStatus.FAILED);
    StoredSequence older = resting("older", InstanceStatus.FAILED);
    fire(firePlan(older).start(now().plusSeconds(1), 0, instance()));

    for (StoredSequence sequence : List.of(paused, inactive, over, older)) {
      resumed(sequence, new OperatorCommand.Retry());
    }
    resumed(parked, moveTo(InstanceStatus.MANUAL));

    for (String name : List.of("paused", "inactive", "over", "parked", "older")) {
      assertThat(find(name).times().due()).as(name).isNull();
    }
    resumed(parked, new OperatorCommand.Retry());
    assertThat(find("parked").times().due()).isEqualTo(now());
  }

  @Test
  void anExecutionCountsAsResumedUntilTheNextPlan() {
    StoredSequence before = resting("w", InstanceStatus.FAILED);
    assertThat(before.last().resumed()).isFalse();
    resumed(before, new OperatorCommand.Retry());
    store.role(SequenceStore.class).update(find("w"));
    assertThat(find("w").last().resumed()).isTrue();

    fire(firePlan(find("w")).next(now().plus(HOUR), null));

    assertThat(find("w").last().resumed()).isFalse();
  }

  @Test
  void anExecutionCountsAsResumedNoMoreOnceItsScheduleRests() {
    StoredSequence paused = resting("paused", InstanceStatus.FAILED);
    StoredSequence inactive = resting("inactive", InstanceStatus.FAILED);
    StoredSequence later = resting("later", InstanceStatus.FAILED);
    List.of(paused, inactive, later)
        .forEach(sequence -> resumed(sequence, new OperatorCommand.Retry()));
    Instant next = now().plus(HOUR);

    change(spec("paused").paused("ann", null).times(now(), null));
    change(spec("inactive").inactive().times(now(), null));
    change(spec("later").times(next, next));

    for (String name : List.of("paused", "inactive", "later")) {
      assertThat(find(name).last().resumed()).as(name).isFalse();
    }
    change(spec("paused").paused(null, null).times(now(), now()));
    assertThat(find("paused").last().resumed()).isFalse();
  }

  private StoredSequenceSpec spec(String name) {
    return StoredSequenceSpec.of(find(name));
  }

  private void change(StoredSequenceSpec spec) {
    assertThat(store.role(SequenceStore.class).update(spec.build()))
        .isInstanceOf(ChangeResult.Done.class);
  }

  @Test
  void whatIsResumedBeforeItsNextSlotIsDueThen() {
    Instant soon = now().plusSeconds(30);
    StoredSequence sequence = resting("w", InstanceStatus.FAILED);
    store
        .role(SequenceStore.class)
        .update(StoredSequenceSpec.of(sequence).times(soon, soon).build());

    resumed(sequence, new OperatorCommand.Retry());

    assertThat(find("w").times().due()).isEqualTo(soon);
  }

  @Test
  void anOlderExecutionSaysNothingOfTheWorkflow() {
    long older = addAndFire("w");
    FireResult.Written newer =
        (FireResult.Written) fire(firePlan(find("w")).start(now().plusSeconds(1), 0, instance()));
    StoredSequence before = find("w");
    end(older, InstanceStatus.FINISHED);

    assertThat(store.role(SequenceStore.class).recordEnds(10)).isEqualTo(1);

    assertThat(find("w").times()).isEqualTo(before.times());
    assertThat(find("w").revision()).isEqualTo(before.revision());
    assertThat(find("w").last().executionId()).isEqualTo(newer.executionId());
    assertThat(slotRecords("w").getLast().result()).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void retentionLeavesAloneWhatIsNotCompleted() {
    long execution = addAndFire("w");
    end(execution, InstanceStatus.FINISHED);
    Duration age = Duration.ofDays(30);
    advance(age.multipliedBy(2));

    store.retention().delete(age, 1000);
    store.retention().archive(age, 1000);
    assertThat(store.queries().find(execution)).isPresent();
    store.role(SequenceStore.class).recordEnds(10);
    store.retention().archive(age, 1000);

    assertThat(store.queries().find(execution)).isEmpty();
    LastExecution last = find("w").last();
    assertThat(last.status()).isEqualTo(InstanceStatus.FINISHED);
    assertThat(last.endRecorded()).isTrue();
    assertThat(last.leased()).isFalse();
    assertThat(last.attempt()).isZero();
  }

  @Test
  void whatBecameOfSlotsGoesWhenNothingOfItIsLeft() {
    Duration age = Duration.ofDays(30);
    long first = addAndFire("w");
    end(first, InstanceStatus.FINISHED);
    store.role(SequenceStore.class).recordEnds(10);
    StoredSequence sequence = find("w");
    fire(
        firePlan(sequence)
            .fire(StoredSequenceSpec.notFired(now(), SlotOutcome.SKIPPED, "holiday", 1))
            .next(now().plus(HOUR), now().plus(HOUR)));
    advance(HOUR);
    long second = fireAll().executions().get(id("w"));
    end(second, InstanceStatus.FINISHED);
    store.role(SequenceStore.class).recordEnds(10);
    advance(age);
    deleteSlotRecords(age);
    assertThat(slotRecords("w"))
        .extracting(StoredSlotRecord::executionId)
        .containsExactly(second, first);

    advance(age);
    while (store.retention().archive(age, 1000) > 0) {}
    deleteSlotRecords(age);
    assertThat(slotRecords("w"))
        .extracting(StoredSlotRecord::executionId)
        .containsExactly(second, first);
    while (store.retention().deleteArchived(age, 1000) > 0) {}
    deleteSlotRecords(age);

    assertThat(slotRecords("w")).extracting(StoredSlotRecord::executionId).containsExactly(second);
    assertThat(find("w").last().status()).isEqualTo(InstanceStatus.FINISHED);
  }

  private void deleteSlotRecords(Duration age) {
    int deleted;
    do {
      deleted = store.role(SequenceStore.class).deleteSlotRecords(age, 3);
      assertThat(deleted).isLessThanOrEqualTo(3);
    } while (deleted > 0);
  }
}
