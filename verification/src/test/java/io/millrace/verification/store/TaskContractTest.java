package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.store.TaskStore.Change;
import io.millrace.store.TaskStore.ShapeState;
import io.millrace.store.TaskStore.StoredShape;
import io.millrace.store.TaskStore.StoredTask;
import io.millrace.store.TaskStore.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Types, tasks and shapes. */
class TaskContractTest extends ScheduleContract {

  TaskContractTest(StoreUnderTest subject) {
    super(subject);
  }

  private StoredTask task(String name) {
    return new StoredTask(
        0, id(name), type, new Work("channel.of." + name, "com.Handler"), 3, "{\"a\":1}", 0);
  }

  private static StoredTask changed(StoredTask task, String name, String type, int revision) {
    return new StoredTask(
        task.id(), name, type, new Work(null, task.work().component() + "2"), 4, "{}", revision);
  }

  private StoredTask added(String name) {
    return store.tasks().find(((Change.Done) store.tasks().add(task(name))).id()).orElseThrow();
  }

  @Test
  void addsATypeOnce() {
    store.tasks().addType(type + "x");
    store.tasks().addType(type + "x");

    assertThat(store.tasks().types()).containsOnlyOnce(type + "x").isSorted();
  }

  @Test
  void tellsHowFarAChangeOfATaskCame() {
    StoredTask first = added("a");
    assertThat(store.tasks().reshaped(first.id())).isEqualTo(1);

    store.tasks().update(changed(first, id("a"), type, 1));
    assertThat(store.tasks().reshaped(first.id())).isEqualTo(1);
    store.tasks().reshaped(first.id(), 2);
    store.tasks().reshaped(first.id(), 1);

    assertThat(store.tasks().reshaped(first.id())).isEqualTo(2);
    assertThat(store.tasks().reshaped(task)).isEqualTo(1);
    assertThat(store.tasks().find(first.id()).orElseThrow().revision()).isEqualTo(2);
    store.tasks().reshaped(Integer.MAX_VALUE, 3);
    assertThat(store.tasks().reshaped(Integer.MAX_VALUE)).isZero();
  }

  @Test
  void removesATypeThatNothingHas() {
    store.tasks().addType(type + "x");

    assertThat(store.tasks().removeType(type + "x")).isInstanceOf(Change.Done.class);
    assertThat(store.tasks().removeType(type + "x")).isEqualTo(new Change.Missing());
    assertThat(store.tasks().types()).doesNotContain(type + "x");
  }

  @Test
  void keepsATypeThatATaskOrAWorkflowHas() {
    assertThat(store.tasks().removeType(type)).isEqualTo(new Change.InUse(List.of(type + "_task")));
    String other = type + "other";
    store.schedules().add(new WorkflowSpec(id("w"), other).tasks(task).build());
    assertThat(store.tasks().removeType(other)).isEqualTo(new Change.InUse(List.of(id("w"))));

    assertThat(store.tasks().types()).contains(type, other);
  }

  @Test
  void addsATaskWithItsType() {
    String other = type + "other";
    StoredTask given =
        new StoredTask(77, id("t"), other, new Work(null, "com.Handler"), 2, "{}", 9);

    Change.Done done = (Change.Done) store.tasks().add(given);

    assertThat(done.revision()).isEqualTo(1);
    assertThat(store.tasks().find(done.id()))
        .contains(
            new StoredTask(done.id(), id("t"), other, new Work(null, "com.Handler"), 2, "{}", 1));
    assertThat(store.tasks().types()).contains(other);
    assertThat(store.tasks().find(Integer.MAX_VALUE)).isEmpty();
  }

  @Test
  void listsTasksById() {
    StoredTask first = added("z");
    StoredTask second = added("a");

    assertThat(store.tasks().tasks()).containsSubsequence(first, second);
  }

  @Test
  void refusesANameThatIsTaken() {
    StoredTask first = added("a");
    StoredTask second = added("b");

    assertThat(store.tasks().add(task("a"))).isEqualTo(new Change.Taken(first.id()));
    assertThat(store.tasks().update(changed(second, first.name(), type, 1)))
        .isEqualTo(new Change.Taken(first.id()));
    assertThat(store.tasks().find(second.id())).contains(second);
  }

  @Test
  void changesATaskOfTheRevisionThatWasSeen() {
    StoredTask before = added("a");

    Change change = store.tasks().update(changed(before, id("b"), type + "other", 1));

    assertThat(change).isEqualTo(new Change.Done(before.id(), 2));
    StoredTask after = changed(before, id("b"), type + "other", 2);
    assertThat(store.tasks().find(before.id())).contains(after);
    assertThat(store.tasks().types()).contains(type + "other");
    assertThat(store.tasks().update(changed(before, id("c"), type, 1)))
        .isEqualTo(new Change.Stale(2));
    assertThat(store.tasks().find(before.id())).contains(after);
  }

  @Test
  void changesNoTaskThatIsNotThere() {
    StoredTask gone = added("a");
    assertThat(store.tasks().remove(gone.id())).isEqualTo(new Change.Done(gone.id(), 1));

    assertThat(store.tasks().update(gone)).isEqualTo(new Change.Missing());
    assertThat(store.tasks().remove(gone.id())).isEqualTo(new Change.Missing());
    assertThat(store.tasks().find(gone.id())).isEmpty();
  }

  @Test
  void aTaskThatIsUsedKeepsItsTypeAndStays() {
    add(workflow("w2").tasks(task, task));
    add(workflow("w1"));
    StoredTask used = store.tasks().find(task).orElseThrow();
    Change.InUse inUse = new Change.InUse(List.of(id("w1"), id("w2")));

    assertThat(store.tasks().update(changed(used, used.name(), type + "other", 1)))
        .isEqualTo(inUse);
    assertThat(store.tasks().remove(task)).isEqualTo(inUse);
    assertThat(store.tasks().find(task)).contains(used);
    assertThat(store.tasks().types()).doesNotContain(type + "other");
    assertThat(store.tasks().update(changed(used, used.name(), type, 1)))
        .isEqualTo(new Change.Done(task, 2));
  }

  @Test
  void namesTenUsersAtMost() {
    IntStream.range(0, 12).forEach(i -> add(workflow("w" + i)));

    assertThat(((Change.InUse) store.tasks().remove(task)).by()).hasSize(10);
    assertThat(((Change.InUse) store.tasks().removeType(type)).by()).hasSize(10);
  }

  @Test
  void numbersTheShapesOfAType() {
    List<ShapeState> states =
        List.of(new ShapeState("s1", 1, task, task), new ShapeState("s2", 2, task, -1));

    StoredShape first = store.tasks().shape(type, "f1", "{1}", states);
    StoredShape second = store.tasks().shape(type, "f2", "{2}", List.of());
    StoredShape other = store.tasks().shape(type + "other", "f1", "{3}", states);

    assertThat(first).isEqualTo(new StoredShape(first.id(), type, 1, "f1", "{1}"));
    assertThat(second.version()).isEqualTo(2);
    assertThat(other.version()).isEqualTo(1);
    assertThat(store.tasks().shape(type, "f1", "{ignored}", List.of())).isEqualTo(first);
  }

  @Test
  void readsShapesInTheOrderOfTheirIds() {
    List<StoredShape> made = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      made.add(store.tasks().shape(type, "f" + i, "{}", List.of()));
    }

    int before = made.getFirst().id() - 1;
    assertThat(store.tasks().shapesAfter(before, 2)).isEqualTo(made.subList(0, 2));
    assertThat(store.tasks().shapesAfter(made.get(1).id(), 10)).isEqualTo(made.subList(2, 3));
    assertThat(store.tasks().shapesAfter(made.getLast().id(), 10)).isEmpty();
  }
}
