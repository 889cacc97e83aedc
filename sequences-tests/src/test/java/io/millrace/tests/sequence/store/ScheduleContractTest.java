package io.millrace.tests.sequence.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.fixtures.store.ScheduleContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.fixtures.store.StoredSequenceSpec;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.QueryStore;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.FireBatchResult;
import io.millrace.store.SequenceStore.FirePlan;
import io.millrace.store.SequenceStore.FireResult;
import io.millrace.store.SequenceStore.FiredSlot;
import io.millrace.store.SequenceStore.Flags;
import io.millrace.store.SequenceStore.LastExecution;
import io.millrace.store.SequenceStore.NextRun;
import io.millrace.store.SequenceStore.Planner;
import io.millrace.store.SequenceStore.SlotOutcome;
import io.millrace.store.SequenceStore.SlotRecordCursor;
import io.millrace.store.SequenceStore.StartObstacle;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.SequenceStore.StoredSequenceTask;
import io.millrace.store.SequenceStore.StoredSlotRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of slots and their outcomes. */
class ScheduleContractTest extends ScheduleContract {

  ScheduleContractTest(StoreFixture subject) {
    super(subject);
  }

  @Test
  void firesWhatIsDueInItsOrder() {
    add(sequence("b").next(now().minusSeconds(2)));
    add(sequence("a").next(now().minusSeconds(1)));
    add(sequence("c").next(now().plusSeconds(1)));
    List<String> asked = new ArrayList<>();

    FireBatchResult fireBatchResult =
        store
            .role(SequenceStore.class)
            .fireDue(
                group,
                10,
                (now, due) -> {
                  assertThat(now).isEqualTo(now());
                  due.forEach(sequence -> asked.add(sequence.sequenceId()));
                  return due.stream().map(this::next).toList();
                });

    assertThat(asked).containsExactly(id("b"), id("a"));
    assertThat(fireBatchResult.found()).isEqualTo(2);
    assertThat(fireBatchResult.executions()).containsOnlyKeys(id("a"), id("b"));
    WorkflowInstance execution = read(fireBatchResult.executions().get(id("a")));
    assertThat(execution.origin().businessKey()).isEqualTo(id("a"));
    StoredSequence after = find("a");
    assertThat(after.revision()).isEqualTo(2);
    assertThat(after.times().nextRun()).isEqualTo(now().minusSeconds(1).plus(HOUR));
    assertThat(after.times().due()).isNull();
    assertThat(after.last())
        .isEqualTo(
            new LastExecution(
                execution.id(),
                new FiredSlot(
                    now().minusSeconds(1),
                    StoredSequenceSpec.fired(now().minusSeconds(1), 0).window()),
                InstanceStatus.CREATED,
                false,
                0,
                StartObstacle.NONE,
                false,
                false));
    assertThat(store.role(SequenceStore.class).slotRecords(id("a"), null, 10))
        .singleElement()
        .satisfies(stored -> {
          assertThat(stored.executionId()).isEqualTo(execution.id());
          assertThat(stored.recorded()).isEqualTo(now());
          assertThat(stored.slotRecord())
              .isEqualTo(StoredSequenceSpec.fired(now().minusSeconds(1), 0));
          assertThat(stored.ended()).isNull();
          assertThat(stored.result()).isNull();
        });
    assertThat(store.role(SequenceStore.class).nextDue(group)).contains(now().plusSeconds(1));
  }

  @Test
  void asksAboutNoMoreThanItMay() {
    add(sequence("a").next(now()));
    add(sequence("b").next(now()));

    assertThat(
            store
                .role(SequenceStore.class)
                .fireDue(group, 1, (now, due) -> List.of(next(due.getFirst())))
                .found())
        .isEqualTo(1);
    assertThat(fireAll().executions()).containsOnlyKeys(id("b"));
    assertThat(fireAll()).isEqualTo(FireBatchResult.NONE);
  }

  @Test
  void aBatchOfLargeSequencesEndsByTheirParameters() {
    String half = '"' + "é".repeat(1 << 18) + '"';
    int fitting = (int) (QueryStore.PAGE_BYTES >> 20);
    for (int i = 0; i < fitting + 3; i++) {
      add(
          sequence("w" + i)
              .parameters(half)
              .sequenceTask(new StoredSequenceTask(2, task, -1, half))
              .next(now()));
    }

    FireBatchResult first = fireAll();
    FireBatchResult second = fireAll();

    assertThat(first.executions()).hasSize(fitting);
    assertThat(first.more()).isTrue();
    assertThat(second.executions())
        .hasSize(3)
        .doesNotContainKeys(first.executions().keySet().toArray(String[]::new));
    assertThat(second.more()).isFalse();
  }

  @Test
  void aSequenceOfAnySizeIsFired() {
    add(sequence("w").parameters('"' + "a".repeat((int) QueryStore.PAGE_BYTES) + '"').next(now()));

    assertThat(fireAll().executions()).containsOnlyKeys(id("w"));
  }

  @Test
  void whatAnOperatorHasRequestedComesBeforeAllThatIsDue() {
    add(sequence("a").next(now().minusSeconds(3)));
    add(sequence("b").next(now().minusSeconds(2)));
    add(sequence("c").next(now().minusSeconds(1)).flags(requested(true, false)));
    add(sequence("d").next(now()).flags(requested(false, true)));
    List<String> asked = new ArrayList<>();
    Planner planner =
        (now, due) -> {
          due.forEach(sequence -> asked.add(sequence.sequenceId()));
          return due.stream().map(this::next).toList();
        };

    assertThat(store.role(SequenceStore.class).fireDue(group, 3, planner).executions()).hasSize(3);
    assertThat(asked).containsExactly(id("c"), id("d"), id("a"));

    store.role(SequenceStore.class).fireDue(group, 3, planner);
    assertThat(asked).endsWith(id("b"));
  }

  private static Flags requested(boolean run, boolean restart) {
    return new Flags(true, true, run, restart, null, null);
  }

  @Test
  void aGroupFiresWhatIsItsOwn() {
    String other = group + "other";
    add(sequence("a").next(now()));
    add(sequence("b").next(now().minusSeconds(1)).group(other));
    add(sequence("c").next(now().minusSeconds(2)));

    assertThat(store.role(SequenceStore.class).nextDue(other)).contains(now().minusSeconds(1));
    assertThat(fireAll(other).executions()).containsOnlyKeys(id("b"));
    assertThat(store.role(SequenceStore.class).nextDue(other)).isEmpty();
    assertThat(store.role(SequenceStore.class).nextDue(group)).contains(now().minusSeconds(2));
    store.role(SequenceStore.class).update(StoredSequenceSpec.of(find("a")).group(other).build());

    assertThat(fireAll().executions()).containsOnlyKeys(id("c"));
    assertThat(fireAll(other).executions()).containsOnlyKeys(id("a"));
    assertThat(find("a").executorGroup()).isEqualTo(other);
    assertThat(find("c").executorGroup()).isEqualTo(group);
  }

  @Test
  void tellsThePlannerAllThatIsStored() {
    int other = addTask("other");
    StoredSequence added = add(sequence("w").tasks(task, other).next(now()).definitionVersion(2));
    List<StoredSequence> asked = new ArrayList<>();

    store
        .role(SequenceStore.class)
        .fireDue(
            group,
            10,
            (now, due) -> {
              asked.addAll(due);
              return List.of();
            });

    assertThat(asked).containsExactly(added);
  }

  @Test
  void whatIsNotFiredIsDueAgainInTenSeconds() {
    add(sequence("w").next(now()));

    assertThat(store.role(SequenceStore.class).fireDue(group, 10, (now, due) -> List.of()).found())
        .isEqualTo(1);

    assertThat(find("w").times().due()).isEqualTo(now().plusSeconds(10));
    assertThat(find("w").revision()).isEqualTo(1);
    assertThat(fireAll().found()).isZero();
    advance(SECOND.multipliedBy(10));
    assertThat(fireAll().executions()).hasSize(1);
  }

  @Test
  void aPlannerThatFailsChangesNothing() {
    StoredSequence before = add(sequence("w").next(now()));

    assertThatThrownBy(() ->
            store
                .role(SequenceStore.class)
                .fireDue(
                    group,
                    10,
                    (now, due) -> {
                      throw new IllegalStateException("planned");
                    }))
        .hasMessage("planned");
    assertThat(find("w")).isEqualTo(before);
  }

  @Test
  void refusesPlansThatFitNothingItAskedFor() {
    StoredSequence due = add(sequence("w").next(now()));
    StoredSequence other = add(sequence("x").next(now().plusSeconds(60)));
    FirePlan own = next(due);

    for (List<FirePlan> bad :
        List.of(
            List.of(own, own),
            List.of(next(other)),
            List.of(firePlan(due).start(now(), 0, instance()).revision(7).build()),
            List.of(firePlan(due).fire(StoredSequenceSpec.fired(now(), 0)).build()),
            List.of(firePlan(due).start(instance().build()).build()))) {
      assertThatThrownBy(
              () -> store.role(SequenceStore.class).fireDue(group, 10, (now, asked) -> bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected");
    }
    assertThat(find("w")).isEqualTo(due);
    assertThat(slotRecords("w")).isEmpty();
  }

  @Test
  void writesWhatBecameOfOtherSlots() {
    add(sequence("w").next(now().minusSeconds(7200)));

    store
        .role(SequenceStore.class)
        .fireDue(
            group,
            10,
            (now, due) ->
                List.of(
                    firePlan(due.getFirst())
                        .fire(
                            StoredSequenceSpec.notFired(
                                now.minusSeconds(7200), SlotOutcome.MISSED, "was down", 2))
                        .fire(
                            StoredSequenceSpec.notFired(
                                now.minusSeconds(3600), SlotOutcome.SKIPPED, "holiday", 1))
                        .next(now.plusSeconds(60), now.plusSeconds(60))
                        .flags(true, true)
                        .build()));

    StoredSequence after = find("w");
    assertThat(after.last()).isNull();
    assertThat(after.flags().runRequested()).isTrue();
    assertThat(after.flags().restart()).isTrue();
    assertThat(after.times().due()).isEqualTo(now().plusSeconds(60));
    assertThat(slotRecords("w"))
        .extracting(StoredSlotRecord::slotRecord)
        .containsExactly(
            StoredSequenceSpec.notFired(
                now().minusSeconds(3600), SlotOutcome.SKIPPED, "holiday", 1),
            StoredSequenceSpec.notFired(
                now().minusSeconds(7200), SlotOutcome.MISSED, "was down", 2));
    assertThat(slotRecords("w"))
        .allMatch(stored -> stored.executionId() == null && stored.ended() == null);
  }

  @Test
  void aSlotIsFiredOnceWhateverThePlannerSays() {
    Instant slot = now();
    long first = addAndFire("w");
    store
        .role(SequenceStore.class)
        .update(StoredSequenceSpec.of(find("w")).times(slot, slot).build());

    FireBatchResult again = fireAll();

    assertThat(again.executions()).isEmpty();
    assertThat(again.found()).isEqualTo(1);
    assertThat(slotRecords("w")).hasSize(1);
    assertThat(find("w").last().executionId()).isEqualTo(first);
    assertThat(find("w").times().nextRun()).isEqualTo(slot.plus(HOUR));
    assertThat(find("w").times().due()).isNull();
  }

  @Test
  void aPersonLearnsThatASlotHasBeenFired() {
    Instant slot = now();
    long first = addAndFire("w");
    StoredSequence sequence = find("w");

    assertThat(fire(firePlan(sequence).start(slot, 0, instance())))
        .isEqualTo(new FireResult.Duplicate(first));
    assertThat(fire(firePlan(sequence).start(slot, 0, instance()).revision(1)))
        .isEqualTo(new FireResult.Duplicate(first));
    assertThat(find("w")).isEqualTo(sequence);
    FireResult.Written again =
        (FireResult.Written) fire(firePlan(sequence).start(slot, 1, instance()));

    assertThat(again.revision()).isEqualTo(3);
    assertThat(find("w").last().executionId()).isEqualTo(again.executionId());
    assertThat(slotRecords("w"))
        .extracting(StoredSlotRecord::executionId)
        .containsExactly(again.executionId(), first);
  }

  @Test
  void aPlanOfAnotherRevisionIsNotWritten() {
    StoredSequence sequence = add(sequence("w").next(now()));

    assertThat(fire(firePlan(sequence).start(now(), 0, instance()).revision(2)))
        .isEqualTo(new FireResult.Stale(1));
    assertThat(fire(firePlan(sequence("none").build()).start(now(), 0, instance())))
        .isEqualTo(new FireResult.Missing());
    assertThat(find("w")).isEqualTo(sequence);
    assertThat(slotRecords("w")).isEmpty();
    assertThat(claim(10)).isEmpty();
  }

  @Test
  void aPlanMayStartNothing() {
    StoredSequence sequence = add(sequence("w"));

    assertThat(fire(firePlan(sequence).next(now(), now())))
        .isEqualTo(new FireResult.Written(null, 2));
    assertThat(find("w").times().due()).isEqualTo(now());
    assertThat(slotRecords("w")).isEmpty();
  }

  @Test
  void aSequenceThatIsAddedAgainHasSlotsOfItsOwn() {
    Instant slot = now();
    long first = addAndFire("w");
    end(first, InstanceStatus.FAILED);
    store.role(SequenceStore.class).remove(id("w"));
    StoredSequence again = add(sequence("w").next(slot));

    FireResult result = fire(firePlan(again).start(slot, 0, instance()));

    assertThat(result).isInstanceOf(FireResult.Written.class);
    assertThat(find("w").last().executionId()).isNotEqualTo(first);
    assertThat(find("w").last().status()).isEqualTo(InstanceStatus.CREATED);
  }

  @Test
  void anExecutionThatIsThereAlreadyIsTakenForItsSlot() {
    Instant slot = now();
    long first = start(instance().externalId(id("w") + "@" + slot + "#0"));
    StoredSequence sequence = add(sequence("w").next(slot));

    assertThat(fire(firePlan(sequence).start(slot, 0, instance())))
        .isEqualTo(new FireResult.Duplicate(first));

    assertThat(slotRecords("w"))
        .singleElement()
        .extracting(StoredSlotRecord::executionId)
        .isEqualTo(first);
    assertThat(find("w").last().status()).isEqualTo(InstanceStatus.CREATED);
  }

  @Test
  void aSlotThatWasFiredBeforeCancelsNothingAndLeavesRequestedRunsAlone() {
    Instant slot = now();
    long first = addAndFire("w");
    StoredSequence row = find("w");
    store
        .role(SequenceStore.class)
        .update(
            StoredSequenceSpec.of(row)
                .times(slot, slot)
                .flags(new Flags(true, true, true, false, null, null))
                .build());

    FireBatchResult fireBatchResult =
        store
            .role(SequenceStore.class)
            .fireDue(
                group,
                100,
                (now, due) ->
                    due.stream()
                        .map(sequence ->
                            StoredSequenceSpec.fire(sequence)
                                .start(slot, 0, instance())
                                .next(slot.plus(HOUR), slot.plus(HOUR))
                                .cancel(first, "the next run is due")
                                .build())
                        .toList());

    assertThat(fireBatchResult.executions()).isEmpty();
    assertThat(read(first).status()).isEqualTo(InstanceStatus.CREATED);
    assertThat(find("w").flags().runRequested()).isTrue();
    assertThat(find("w").times().due()).isEqualTo(now());
    assertThat(find("w").times().nextRun()).isEqualTo(slot.plus(HOUR));
  }

  @Test
  void cancelsWhatGivesWayToTheNextRun() {
    long before = addAndFire("w");
    StoredSequence sequence = find("w");
    Instant slot = now().plusSeconds(1);
    store
        .role(SequenceStore.class)
        .update(StoredSequenceSpec.of(sequence).times(slot, now()).build());

    FireBatchResult fireBatchResult =
        store
            .role(SequenceStore.class)
            .fireDue(
                group,
                10,
                (now, due) ->
                    List.of(
                        firePlan(due.getFirst())
                            .start(slot, 0, instance())
                            .cancel(before, "the next run is due")
                            .next(slot.plus(HOUR), null)
                            .build()));

    WorkflowInstance cancelled = read(before);
    assertThat(cancelled.position().status()).isEqualTo(InstanceStatus.CANCELLED);
    assertThat(lastAction(cancelled).type()).isEqualTo(HistoryEntryType.CANCEL);
    assertThat(lastAction(cancelled).author().actor()).isEqualTo("planner");
    assertThat(lastAction(cancelled).outcome().reason()).isEqualTo("the next run is due");
    assertThat(find("w").last().executionId()).isEqualTo(fireBatchResult.executions().get(id("w")));
    assertThat(store.role(SequenceStore.class).recordEnds(10)).isEqualTo(1);
    assertThat(find("w").times().lastEnded()).isNull();
    assertThat(slotRecords("w").getLast().result()).isEqualTo(InstanceStatus.CANCELLED);
  }

  @Test
  void whatHasEndedIsNotCancelled() {
    long before = addAndFire("w");
    end(before, InstanceStatus.FINISHED);

    FireResult result =
        fire(firePlan(find("w")).start(now().plusSeconds(1), 0, instance()).cancel(before, null));

    assertThat(result).isInstanceOf(FireResult.Written.class);
    assertThat(read(before).position().status()).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void tellsWhenTheNextIsDue() {
    assertThat(store.role(SequenceStore.class).nextDue(group)).isEmpty();
    add(sequence("a").times(now(), null));
    add(sequence("b").next(now().plusSeconds(9)));
    add(sequence("c").next(now().plusSeconds(5)));

    assertThat(store.role(SequenceStore.class).nextDue(group)).contains(now().plusSeconds(5));
  }

  @Test
  void listsTheNewestFiresOfSomeSequences() {
    Instant first = now();
    for (String name : List.of("v", "w", "x", "none")) {
      add(sequence(name));
    }
    for (String name : List.of("v", "w", "x")) {
      for (int i = 0; i < 3; i++) {
        fire(firePlan(find(name)).start(first.plus(HOUR.multipliedBy(2 - i)), 0, instance()));
      }
    }

    List<StoredSlotRecord> newest =
        store
            .role(SequenceStore.class)
            .newestSlotRecords(List.of(id("x"), id("none"), id("v"), id("unknown")), 2);

    List<StoredSlotRecord> expected = new ArrayList<>(slotRecords("x").subList(0, 2));
    expected.addAll(slotRecords("v").subList(0, 2));
    assertThat(newest).isEqualTo(expected);
    assertThat(store.role(SequenceStore.class).newestSlotRecords(List.of(), 2)).isEmpty();
  }

  @Test
  void listsTheNextRunsOfWhatMayRun() {
    add(sequence("b").times(now().plusSeconds(2), null));
    add(sequence("a").times(now().plusSeconds(1), now()));
    add(sequence("d").times(now().plusSeconds(2), now()));
    add(sequence("ended").times(null, null));
    add(sequence("paused").times(now(), null).paused("ann", null));
    add(sequence("inactive").times(now(), null).inactive());

    List<NextRun> next =
        store.role(SequenceStore.class).nextRuns(100_000).stream()
            .filter(one -> one.sequenceId().startsWith(type + "_"))
            .toList();

    assertThat(next).extracting(NextRun::sequenceId).containsExactly(id("a"), id("b"), id("d"));
    assertThat(next.getFirst().slot().at()).isEqualTo(now().plusSeconds(1));
    assertThat(next.getFirst().schedule()).isEqualTo(find("a").spec().schedule());
    assertThat(store.role(SequenceStore.class).nextRuns(1)).hasSize(1);
  }

  @Test
  void listsFiresByTheirSlots() {
    Instant first = now();
    add(sequence("w").next(first));
    for (int i = 0; i < 3; i++) {
      StoredSequence sequence = find("w");
      fire(firePlan(sequence).start(first.plus(HOUR.multipliedBy(2 - i)), 0, instance()));
    }
    fire(firePlan(add(sequence("x"))).start(first.plus(HOUR), 0, instance()));

    assertThat(slotRecords("w"))
        .extracting(stored -> stored.slotRecord().slot())
        .containsExactly(first.plus(HOUR.multipliedBy(2)), first.plus(HOUR), first);
    assertThat(
            store
                .role(SequenceStore.class)
                .slotRecords(id("w"), SlotRecordCursor.before(first.plus(HOUR)), 10))
        .extracting(stored -> stored.slotRecord().slot())
        .containsExactly(first);
    assertThat(store.role(SequenceStore.class).slotRecords(id("w"), null, 2))
        .isEqualTo(slotRecords("w").subList(0, 2));
    List<StoredSlotRecord> between =
        store
            .role(SequenceStore.class)
            .slotRecordsBetween(first, first.plus(HOUR.multipliedBy(2)), 1000)
            .stream()
            .filter(stored -> stored.sequenceId().startsWith(type + "_"))
            .toList();
    assertThat(between)
        .extracting(StoredSlotRecord::sequenceId)
        .containsExactly(id("w"), id("w"), id("x"));
    assertThat(between)
        .isSortedAccordingTo(Comparator.comparing(stored -> stored.slotRecord().slot()));
    assertThat(store.role(SequenceStore.class).slotRecordsBetween(first, first.plus(HOUR), 1))
        .hasSize(1);
  }
}
