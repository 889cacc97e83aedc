package io.millrace.tests.sequence.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.ScheduleContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.fixtures.store.StoredSequenceSpec;
import io.millrace.store.SequenceStore;
import io.millrace.store.TaskStore;
import io.millrace.store.TaskStore.ChangeResult;
import io.millrace.store.TaskStore.CompiledState;
import io.millrace.store.TaskStore.HandlerReference;
import io.millrace.store.TaskStore.StoredCompiledSequence;
import io.millrace.store.TaskStore.StoredTask;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of types, tasks and compiled sequences. */
class TaskContractTest extends ScheduleContract {

  TaskContractTest(StoreFixture subject) {
    super(subject);
  }

  private StoredTask task(String name) {
    return new StoredTask(
        0,
        id(name),
        type,
        new HandlerReference("channel.of." + name, "com.Handler"),
        3,
        "{\"a\":1}",
        0);
  }

  private static StoredTask changed(StoredTask task, String name, String type, int revision) {
    return new StoredTask(
        task.id(),
        name,
        type,
        new HandlerReference(null, task.work().component() + "2"),
        4,
        "{}",
        revision);
  }

  private StoredTask added(String name) {
    return store
        .role(TaskStore.class)
        .find(((ChangeResult.Done) store.role(TaskStore.class).add(task(name))).id())
        .orElseThrow();
  }

  @Test
  void addsATypeOnce() {
    store.role(TaskStore.class).addType(type + "x");
    store.role(TaskStore.class).addType(type + "x");

    assertThat(store.role(TaskStore.class).types()).containsOnlyOnce(type + "x").isSorted();
  }

  @Test
  void tellsHowFarAChangeOfATaskCame() {
    StoredTask first = added("a");
    assertThat(store.role(TaskStore.class).appliedRevision(first.id())).isEqualTo(1);

    store.role(TaskStore.class).update(changed(first, id("a"), type, 1));
    assertThat(store.role(TaskStore.class).appliedRevision(first.id())).isEqualTo(1);
    store.role(TaskStore.class).recordAppliedRevision(first.id(), 2);
    store.role(TaskStore.class).recordAppliedRevision(first.id(), 1);

    assertThat(store.role(TaskStore.class).appliedRevision(first.id())).isEqualTo(2);
    assertThat(store.role(TaskStore.class).appliedRevision(task)).isEqualTo(1);
    assertThat(store.role(TaskStore.class).find(first.id()).orElseThrow().revision()).isEqualTo(2);
    store.role(TaskStore.class).recordAppliedRevision(Integer.MAX_VALUE, 3);
    assertThat(store.role(TaskStore.class).appliedRevision(Integer.MAX_VALUE)).isZero();
  }

  @Test
  void removesATypeThatNothingHas() {
    store.role(TaskStore.class).addType(type + "x");

    assertThat(store.role(TaskStore.class).removeType(type + "x"))
        .isInstanceOf(ChangeResult.Done.class);
    assertThat(store.role(TaskStore.class).removeType(type + "x"))
        .isEqualTo(new ChangeResult.Missing());
    assertThat(store.role(TaskStore.class).types()).doesNotContain(type + "x");
  }

  @Test
  void keepsATypeThatATaskOrASequenceHas() {
    assertThat(store.role(TaskStore.class).removeType(type))
        .isEqualTo(new ChangeResult.InUse(List.of(type + "_task")));
    String other = type + "other";
    store.role(SequenceStore.class).add(new StoredSequenceSpec(id("w"), other).tasks(task).build());
    assertThat(store.role(TaskStore.class).removeType(other))
        .isEqualTo(new ChangeResult.InUse(List.of(id("w"))));

    assertThat(store.role(TaskStore.class).types()).contains(type, other);
  }

  @Test
  void addsATaskWithItsType() {
    String other = type + "other";
    StoredTask given =
        new StoredTask(77, id("t"), other, new HandlerReference(null, "com.Handler"), 2, "{}", 9);

    ChangeResult.Done done = (ChangeResult.Done) store.role(TaskStore.class).add(given);

    assertThat(done.revision()).isEqualTo(1);
    assertThat(store.role(TaskStore.class).find(done.id()))
        .contains(
            new StoredTask(
                done.id(), id("t"), other, new HandlerReference(null, "com.Handler"), 2, "{}", 1));
    assertThat(store.role(TaskStore.class).types()).contains(other);
    assertThat(store.role(TaskStore.class).find(Integer.MAX_VALUE)).isEmpty();
  }

  @Test
  void listsTasksById() {
    StoredTask first = added("z");
    StoredTask second = added("a");

    assertThat(store.role(TaskStore.class).tasks()).containsSubsequence(first, second);
  }

  @Test
  void refusesANameThatIsTaken() {
    StoredTask first = added("a");
    StoredTask second = added("b");

    assertThat(store.role(TaskStore.class).add(task("a")))
        .isEqualTo(new ChangeResult.NameTaken(first.id()));
    assertThat(store.role(TaskStore.class).update(changed(second, first.name(), type, 1)))
        .isEqualTo(new ChangeResult.NameTaken(first.id()));
    assertThat(store.role(TaskStore.class).find(second.id())).contains(second);
  }

  @Test
  void changesATaskOfTheRevisionThatWasSeen() {
    StoredTask before = added("a");

    ChangeResult changeResult =
        store.role(TaskStore.class).update(changed(before, id("b"), type + "other", 1));

    assertThat(changeResult).isEqualTo(new ChangeResult.Done(before.id(), 2));
    StoredTask after = changed(before, id("b"), type + "other", 2);
    assertThat(store.role(TaskStore.class).find(before.id())).contains(after);
    assertThat(store.role(TaskStore.class).types()).contains(type + "other");
    assertThat(store.role(TaskStore.class).update(changed(before, id("c"), type, 1)))
        .isEqualTo(new ChangeResult.Stale(2));
    assertThat(store.role(TaskStore.class).find(before.id())).contains(after);
  }

  @Test
  void changesNoTaskThatIsNotThere() {
    StoredTask gone = added("a");
    assertThat(store.role(TaskStore.class).remove(gone.id()))
        .isEqualTo(new ChangeResult.Done(gone.id(), 1));

    assertThat(store.role(TaskStore.class).update(gone)).isEqualTo(new ChangeResult.Missing());
    assertThat(store.role(TaskStore.class).remove(gone.id())).isEqualTo(new ChangeResult.Missing());
    assertThat(store.role(TaskStore.class).find(gone.id())).isEmpty();
  }

  @Test
  void aTaskThatIsUsedKeepsItsTypeAndStays() {
    add(sequence("w2").tasks(task, task));
    add(sequence("w1"));
    StoredTask used = store.role(TaskStore.class).find(task).orElseThrow();
    ChangeResult.InUse inUse = new ChangeResult.InUse(List.of(id("w1"), id("w2")));

    assertThat(store.role(TaskStore.class).update(changed(used, used.name(), type + "other", 1)))
        .isEqualTo(inUse);
    assertThat(store.role(TaskStore.class).remove(task)).isEqualTo(inUse);
    assertThat(store.role(TaskStore.class).find(task)).contains(used);
    assertThat(store.role(TaskStore.class).types()).doesNotContain(type + "other");
    assertThat(store.role(TaskStore.class).update(changed(used, used.name(), type, 1)))
        .isEqualTo(new ChangeResult.Done(task, 2));
  }

  @Test
  void namesTenUsersAtMost() {
    IntStream.range(0, 12).forEach(i -> add(sequence("w" + i)));

    assertThat(((ChangeResult.InUse) store.role(TaskStore.class).remove(task)).by()).hasSize(10);
    assertThat(((ChangeResult.InUse) store.role(TaskStore.class).removeType(type)).by())
        .hasSize(10);
  }

  @Test
  void numbersTheShapesOfAType() {
    List<CompiledState> states =
        List.of(new CompiledState("s1", 1, task, task), new CompiledState("s2", 2, task, -1));

    StoredCompiledSequence first =
        store.role(TaskStore.class).compiledSequence(type, "f1", "{1}", states);
    StoredCompiledSequence second =
        store.role(TaskStore.class).compiledSequence(type, "f2", "{2}", List.of());
    StoredCompiledSequence other =
        store.role(TaskStore.class).compiledSequence(type + "other", "f1", "{3}", states);

    assertThat(first).isEqualTo(new StoredCompiledSequence(first.id(), type, 1, "f1", "{1}"));
    assertThat(second.version()).isEqualTo(2);
    assertThat(other.version()).isEqualTo(1);
    assertThat(store.role(TaskStore.class).compiledSequence(type, "f1", "{ignored}", List.of()))
        .isEqualTo(first);
  }

  @Test
  void readsShapesInTheOrderOfTheirIds() {
    List<StoredCompiledSequence> made = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      made.add(store.role(TaskStore.class).compiledSequence(type, "f" + i, "{}", List.of()));
    }

    int before = made.getFirst().id() - 1;
    assertThat(store.role(TaskStore.class).compiledSequencesAfter(before, 2))
        .isEqualTo(made.subList(0, 2));
    assertThat(store.role(TaskStore.class).compiledSequencesAfter(made.get(1).id(), 10))
        .isEqualTo(made.subList(2, 3));
    assertThat(store.role(TaskStore.class).compiledSequencesAfter(made.getLast().id(), 10))
        .isEmpty();
  }
}
