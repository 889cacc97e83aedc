package io.millrace.tests.sequence.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.fixtures.store.ScheduleContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.fixtures.store.StoredSequenceSpec;
import io.millrace.instance.InstanceStatus;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.Flags;
import io.millrace.store.SequenceStore.SequenceTimes;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.SequenceStore.StoredSequenceTask;
import io.millrace.store.StoreException;
import io.millrace.store.TaskStore;
import io.millrace.store.TaskStore.ChangeResult;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of adding, changing, removing and finding sequences. */
class SequenceContractTest extends ScheduleContract {

  SequenceContractTest(StoreFixture subject) {
    super(subject);
  }

  @Test
  void keepsWhatItIsGiven() {
    int other = addTask("other");
    StoredSequenceSpec spec =
        sequence("w")
            .tasks(task, other, task)
            .sequenceTask(new StoredSequenceTask(4, other, -1, "{\"limit\":3}"))
            .flags(new Flags(false, true, true, true, "bob", "ann", "holidays"))
            .times(now().plusSeconds(5), now().plusSeconds(7))
            .lastEnded(now())
            .definitionVersion(3);
    StoredSequence given = spec.build();

    assertThat(store.role(SequenceStore.class).add(given)).isEqualTo(new ChangeResult.Done(0, 1));

    assertThat(find("w")).isEqualTo(given);
    assertThat(store.role(TaskStore.class).types()).contains(type);
  }

  @Test
  void keepsTimesToTheMicrosecond() {
    Instant time = Instant.parse("2031-02-03T04:05:06.123456789Z");

    add(sequence("w").times(time, time));

    Instant kept = Instant.parse("2031-02-03T04:05:06.123456Z");
    assertThat(find("w").times()).isEqualTo(new SequenceTimes(kept, kept, null));
  }

  @Test
  void addsAnIdOnce() {
    StoredSequence first = add(sequence("w"));

    assertThat(store.role(SequenceStore.class).add(sequence("w").next(now()).build()))
        .isEqualTo(new ChangeResult.NameTaken(0));
    assertThat(find("w")).isEqualTo(first);
  }

  @Test
  void refusesStepsOfNoTaskAndTwoInOnePlace() {
    for (StoredSequenceSpec bad :
        List.of(
            sequence("w").tasks(Integer.MAX_VALUE),
            sequence("w").sequenceTask(new StoredSequenceTask(1, task, -1, null)))) {
      assertThatThrownBy(() -> store.role(SequenceStore.class).add(bad.build()))
          .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.rejected()).isTrue());
      assertThat(store.role(SequenceStore.class).find(id("w"))).isEmpty();
    }
    add(sequence("w"));
    assertThatThrownBy(() ->
            store.role(SequenceStore.class).update(sequence("w").tasks(Integer.MAX_VALUE).build()))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.rejected()).isTrue());
    assertThat(find("w").sequenceTasks()).hasSize(1);
  }

  @Test
  void replacesWhatWasSeen() {
    add(sequence("w").next(now()).lastEnded(now()));
    int other = addTask("other");
    StoredSequenceSpec changed =
        new StoredSequenceSpec(id("w"), type + "other")
            .tasks(other, task)
            .paused("bob", null)
            .times(now().plusSeconds(9), null)
            .group(group + "other")
            .definitionVersion(2);

    assertThat(store.role(SequenceStore.class).update(changed.build()))
        .isEqualTo(new ChangeResult.Done(0, 2));

    assertThat(find("w")).isEqualTo(changed.revision(2).lastEnded(now()).build());
    assertThat(store.role(SequenceStore.class).update(sequence("w").revision(1).build()))
        .isEqualTo(new ChangeResult.Stale(2));
    assertThat(find("w").sequenceTasks()).hasSize(2);
    assertThat(store.role(SequenceStore.class).update(sequence("x").build()))
        .isEqualTo(new ChangeResult.Missing());
  }

  @Test
  void aChangeLeavesTheNewestExecution() {
    long execution = addAndFire("w");

    store
        .role(SequenceStore.class)
        .update(StoredSequenceSpec.of(find("w")).tasks(task, task).build());

    assertThat(find("w").last().executionId()).isEqualTo(execution);
  }

  @Test
  void listsThoseWithATask() {
    int other = addTask("other");
    for (String name : List.of("c", "a", "b")) {
      add(sequence(name).tasks(task, other, task));
    }
    StoredSequence without = add(sequence("d"));

    assertThat(store.role(SequenceStore.class).withTask(other, null, 2))
        .containsExactly(find("a"), find("b"));
    assertThat(store.role(SequenceStore.class).withTask(other, id("b"), 2))
        .containsExactly(find("c"));
    assertThat(store.role(SequenceStore.class).withTask(task, id("b"), 9))
        .containsExactly(find("c"), without);
    assertThat(store.role(SequenceStore.class).withTask(Integer.MAX_VALUE, null, 9)).isEmpty();
  }

  @Test
  void listsById() {
    for (String name : List.of("B2", "a1", "B1", "c", "_")) {
      add(sequence(name));
    }

    List<StoredSequence> all = store.role(SequenceStore.class).list(type, null, null, 10);
    assertThat(all)
        .extracting(StoredSequence::sequenceId)
        .containsExactly(id("B1"), id("B2"), id("_"), id("a1"), id("c"));
    assertThat(all.getFirst()).isEqualTo(find("B1"));
    assertThat(store.role(SequenceStore.class).list(type, null, id("B1"), 2))
        .isEqualTo(all.subList(1, 3));
    assertThat(store.role(SequenceStore.class).list("none", null, null, 10)).isEmpty();
  }

  @Test
  void listsThoseWithATextInTheirId() {
    for (String name : List.of("100%", "100x", "day_one", "dayXone")) {
      add(sequence(name));
    }

    assertThat(named("DAY_O")).containsExactly(id("day_one"));
    assertThat(named("00%")).containsExactly(id("100%"));
    assertThat(named("Y")).contains(id("dayXone"), id("day_one"));
    assertThat(named("no such")).isEmpty();
  }

  private List<String> named(String text) {
    return store.role(SequenceStore.class).list(type, text, null, 10).stream()
        .map(StoredSequence::sequenceId)
        .toList();
  }

  @Test
  void removesASequenceWithItsFires() {
    long execution = addAndFire("w");
    end(execution, InstanceStatus.FAILED);

    assertThat(store.role(SequenceStore.class).remove(id("w")))
        .isEqualTo(new ChangeResult.Done(0, 2));

    assertThat(store.role(SequenceStore.class).find(id("w"))).isEmpty();
    assertThat(store.role(SequenceStore.class).slotRecords(id("w"), null, 10)).isEmpty();
    assertThat(store.role(SequenceStore.class).remove(id("w")))
        .isEqualTo(new ChangeResult.Missing());
    assertThat(store.role(TaskStore.class).remove(task)).isInstanceOf(ChangeResult.Done.class);
    assertThat(read(execution).position().status()).isEqualTo(InstanceStatus.FAILED);
  }

  @Test
  void keepsASequenceThatRuns() {
    long execution = addAndFire("w");

    assertThat(store.role(SequenceStore.class).remove(id("w")))
        .isEqualTo(new ChangeResult.InUse(List.of(String.valueOf(execution))));
    assertThat(store.role(SequenceStore.class).find(id("w"))).isPresent();
    assertThat(store.role(SequenceStore.class).slotRecords(id("w"), null, 10)).hasSize(1);
  }
}
