package io.millrace.tests.sequence.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.fixtures.store.ScheduleContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.fixtures.store.StoredSequenceSpec;
import io.millrace.instance.InstanceStatus;
import io.millrace.schedule.DataWindow;
import io.millrace.schedule.PlannedSlot;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.FireBatchResult;
import io.millrace.store.SequenceStore.FireResult;
import io.millrace.store.SequenceStore.FiredSlot;
import io.millrace.store.SequenceStore.Flags;
import io.millrace.store.SequenceStore.NextRun;
import io.millrace.store.SequenceStore.SlotOutcome;
import io.millrace.store.SequenceStore.SlotRecord;
import io.millrace.store.SequenceStore.SlotRecordCursor;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.SequenceStore.StoredSlotRecord;
import io.millrace.store.TaskStore.ChangeResult;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the effect of a changed schedule on slots, and of the order of the next slots. */
class SlotContractTest extends ScheduleContract {

  SlotContractTest(StoreFixture subject) {
    super(subject);
  }

  private static SlotRecord recordOf(Instant slot, int hours) {
    return new SlotRecord(
        slot,
        new DataWindow(slot.minus(HOUR.multipliedBy(hours)), slot),
        SlotOutcome.FIRED,
        "schedule",
        0,
        null,
        1);
  }

  @Test
  void aSlotIsFiredOnceForEachWindow() {
    Instant slot = now();
    StoredSequence added = add(sequence("w"));
    long first = execution(fire(firePlan(added).start(recordOf(slot, 1), instance())));

    long second = execution(fire(firePlan(find("w")).start(recordOf(slot, 24), instance())));

    assertThat(second).isNotEqualTo(first);
    assertThat(find("w").last().slot()).isEqualTo(new FiredSlot(slot, recordOf(slot, 24).window()));
    assertThat(slotRecords("w"))
        .extracting(StoredSlotRecord::executionId)
        .containsExactly(second, first);
    assertThat(slotRecords("w"))
        .extracting(stored -> stored.slotRecord().fireNumber())
        .containsExactly(-2, 0);
    assertThat(read(second).origin().externalId()).isEqualTo(id("w") + "@" + slot + "#-2");
    for (int hours : List.of(1, 24)) {
      assertThat(fire(firePlan(find("w")).start(recordOf(slot, hours), instance())))
          .isEqualTo(new FireResult.Duplicate(hours == 1 ? first : second));
    }
    assertThat(execution(fire(firePlan(find("w")).start(recordOf(slot, 48), instance()))))
        .isGreaterThan(second);
    assertThat(slotRecords("w")).hasSize(3);
    List<StoredSlotRecord> paged = new ArrayList<>();
    for (SlotRecordCursor behind = null;
        paged.size() < 3;
        behind = SlotRecordCursor.of(paged.getLast())) {
      paged.addAll(store.role(SequenceStore.class).slotRecords(id("w"), behind, 1));
    }
    assertThat(paged).isEqualTo(slotRecords("w"));
    assertThat(
            store
                .role(SequenceStore.class)
                .slotRecords(id("w"), SlotRecordCursor.of(paged.getLast()), 1))
        .isEmpty();
    assertThat(
            store.role(SequenceStore.class).slotRecords(id("w"), SlotRecordCursor.before(slot), 1))
        .isEmpty();
  }

  @Test
  void aWorkflowThatIsAddedAgainIsToldFromTheOneBefore() {
    Instant before = clock.instant();
    add(sequence("w"));
    assertThat(store.role(SequenceStore.class).added(id("w"))).contains(before);
    advance(SECOND);
    store.role(SequenceStore.class).update(StoredSequenceSpec.of(find("w")).next(now()).build());
    assertThat(store.role(SequenceStore.class).added(id("w"))).contains(before);

    store.role(SequenceStore.class).remove(id("w"));
    assertThat(store.role(SequenceStore.class).added(id("w"))).isEmpty();
    add(sequence("w"));

    assertThat(store.role(SequenceStore.class).added(id("w"))).contains(before.plus(SECOND));
  }

  private static long execution(FireResult result) {
    return ((FireResult.Written) result).executionId();
  }

  @Test
  void aSlotThatIsDueIsFiredForItsOwnWindow() {
    Instant slot = now();
    fire(firePlan(add(sequence("w"))).start(recordOf(slot, 1), instance()));
    fire(firePlan(add(sequence("x"))).start(recordOf(slot, 24), instance()));
    for (String name : List.of("w", "x")) {
      store
          .role(SequenceStore.class)
          .update(StoredSequenceSpec.of(find(name)).times(slot, slot).build());
    }

    FireBatchResult fireBatchResult =
        store
            .role(SequenceStore.class)
            .fireDue(
                group,
                100,
                (now, due) ->
                    due.stream()
                        .map(sequence ->
                            firePlan(sequence)
                                .start(recordOf(slot, 24), instance())
                                .next(slot.plus(HOUR), null)
                                .build())
                        .toList());

    assertThat(fireBatchResult.executions()).containsOnlyKeys(id("w"));
    assertThat(slotRecords("w")).hasSize(2);
    assertThat(slotRecords("x")).hasSize(1);
  }

  @Test
  void aChangeWritesWhatIsLeftBehind() {
    StoredSequence added = add(sequence("w").next(now()));
    SlotRecord unfired = StoredSequenceSpec.notFired(now(), SlotOutcome.MISSED, "changed", 3);
    StoredSequence changed = StoredSequenceSpec.of(added).next(now().plusSeconds(9)).build();

    assertThat(store.role(SequenceStore.class).update(changed, List.of(unfired)))
        .isEqualTo(new ChangeResult.Done(0, 2));

    assertThat(find("w").times().nextRun()).isEqualTo(now().plusSeconds(9));
    assertThat(slotRecords("w"))
        .singleElement()
        .extracting(StoredSlotRecord::slotRecord)
        .isEqualTo(unfired);
    assertThat(store.role(SequenceStore.class).update(changed, List.of(unfired)))
        .isEqualTo(new ChangeResult.Stale(2));
    assertThat(slotRecords("w")).hasSize(1);
  }

  @Test
  void aChangeFiresNothing() {
    StoredSequence added = add(sequence("w").next(now()));
    StoredSequence changed = StoredSequenceSpec.of(added).next(now().plusSeconds(9)).build();

    assertThatThrownBy(() ->
            store
                .role(SequenceStore.class)
                .update(changed, List.of(StoredSequenceSpec.fired(now(), 0))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected only slots that do not fire");
    assertThat(find("w")).isEqualTo(added);
  }

  @Test
  void whatRestsHasNoNextRun() {
    for (String name : List.of("failed", "cancelled", "parked", "finished", "again", "at once")) {
      addAndFire(name);
    }
    end(execution("failed"), InstanceStatus.FAILED);
    end(execution("cancelled"), InstanceStatus.CANCELLED);
    end(execution("parked"), InstanceStatus.MANUAL);
    end(execution("finished"), InstanceStatus.FINISHED);
    end(execution("again"), InstanceStatus.FAILED);
    end(execution("at once"), InstanceStatus.FAILED);
    addAndFire("runs");
    add(sequence("new").next(now().plus(HOUR)));
    setFlags("again", new Flags(true, true, false, true, null, null));
    setFlags("at once", new Flags(true, true, true, false, null, null));

    assertThat(nextRuns()).containsExactlyInAnyOrder("finished", "again", "runs", "new");
    while (store.role(SequenceStore.class).recordEnds(100) > 0) {}
    assertThat(nextRuns()).containsExactlyInAnyOrder("finished", "again", "runs", "new");
  }

  @Test
  void theNextRunKeepsTheOffsetThatItWasComputedBy() {
    PlannedSlot first = new PlannedSlot(now(), ZoneOffset.ofHoursMinutes(-3, -30));
    PlannedSlot second = new PlannedSlot(now().plus(HOUR), ZoneOffset.UTC);
    PlannedSlot third = new PlannedSlot(now().plus(HOUR).plus(HOUR), ZoneOffset.MAX);
    StoredSequence added = add(sequence("w").next(first));
    assertThat(added.times().planned()).isEqualTo(first);
    assertThat(planned()).containsExactly(first);

    store.role(SequenceStore.class).update(StoredSequenceSpec.of(added).next(second).build());
    StoredSequence updated = find("w");
    assertThat(updated.times().planned()).isEqualTo(second);
    assertThat(planned()).containsExactly(second);

    fire(firePlan(updated).start(now(), 0, instance()).next(third));
    StoredSequence fired = find("w");
    assertThat(fired.times().planned()).isEqualTo(third);

    end(fired.last().executionId(), InstanceStatus.FINISHED);
    while (store.role(SequenceStore.class).recordEnds(100) > 0) {}
    assertThat(find("w").times().planned()).isEqualTo(third);
    assertThat(planned()).containsExactly(third);
  }

  private List<PlannedSlot> planned() {
    return store.role(SequenceStore.class).nextRuns(100_000).stream()
        .filter(next -> next.sequenceId().startsWith(type + "_"))
        .map(NextRun::slot)
        .toList();
  }

  private long execution(String name) {
    return find(name).last().executionId();
  }

  private void setFlags(String name, Flags flags) {
    store.role(SequenceStore.class).update(StoredSequenceSpec.of(find(name)).flags(flags).build());
  }

  private List<String> nextRuns() {
    return store.role(SequenceStore.class).nextRuns(100_000).stream()
        .map(NextRun::sequenceId)
        .filter(id -> id.startsWith(type + "_"))
        .map(id -> id.substring(type.length() + 1))
        .toList();
  }
}
