package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InstanceStatus;
import io.millrace.store.ScheduleStore.Flags;
import io.millrace.store.ScheduleStore.Step;
import io.millrace.store.ScheduleStore.StoredWorkflow;
import io.millrace.store.ScheduleStore.Times;
import io.millrace.store.StoreException;
import io.millrace.store.TaskStore.Change;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Workflows as they are added, changed, removed and found. */
class WorkflowContractTest extends ScheduleContract {

  WorkflowContractTest(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void keepsWhatItIsGiven() {
    int other = addTask("other");
    WorkflowSpec spec =
        workflow("w")
            .tasks(task, other, task)
            .step(new Step(4, other, -1, "{\"limit\":3}"))
            .flags(new Flags(false, true, true, true, "ann", "holidays"))
            .times(now().plusSeconds(5), now().plusSeconds(7))
            .lastRun(now())
            .shape(3);
    StoredWorkflow given = spec.build();

    assertThat(store.schedules().add(given)).isEqualTo(new Change.Done(0, 1));

    assertThat(find("w")).isEqualTo(given);
    assertThat(store.tasks().types()).contains(type);
  }

  @Test
  void keepsTimesToTheMicrosecond() {
    Instant time = Instant.parse("2031-02-03T04:05:06.123456789Z");

    add(workflow("w").times(time, time));

    Instant kept = Instant.parse("2031-02-03T04:05:06.123456Z");
    assertThat(find("w").times()).isEqualTo(new Times(kept, kept, null));
  }

  @Test
  void addsAnIdOnce() {
    StoredWorkflow first = add(workflow("w"));

    assertThat(store.schedules().add(workflow("w").next(now()).build()))
        .isEqualTo(new Change.Taken(0));
    assertThat(find("w")).isEqualTo(first);
  }

  @Test
  void refusesStepsOfNoTaskAndTwoInOnePlace() {
    for (WorkflowSpec bad :
        List.of(
            workflow("w").tasks(Integer.MAX_VALUE),
            workflow("w").step(new Step(1, task, -1, null)))) {
      assertThatThrownBy(() -> store.schedules().add(bad.build()))
          .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.refused()).isTrue());
      assertThat(store.schedules().find(id("w"))).isEmpty();
    }
    add(workflow("w"));
    assertThatThrownBy(
            () -> store.schedules().update(workflow("w").tasks(Integer.MAX_VALUE).build()))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.refused()).isTrue());
    assertThat(find("w").steps()).hasSize(1);
  }

  @Test
  void replacesWhatWasSeen() {
    add(workflow("w").next(now()).lastRun(now()));
    int other = addTask("other");
    WorkflowSpec changed =
        new WorkflowSpec(id("w"), type + "other")
            .tasks(other, task)
            .paused("bob", null)
            .times(now().plusSeconds(9), null)
            .group(group + "other")
            .shape(2);

    assertThat(store.schedules().update(changed.build())).isEqualTo(new Change.Done(0, 2));

    assertThat(find("w")).isEqualTo(changed.revision(2).lastRun(now()).build());
    assertThat(store.schedules().update(workflow("w").revision(1).build()))
        .isEqualTo(new Change.Stale(2));
    assertThat(find("w").steps()).hasSize(2);
    assertThat(store.schedules().update(workflow("x").build())).isEqualTo(new Change.Missing());
  }

  @Test
  void aChangeLeavesTheNewestExecution() {
    long execution = fired("w");

    store.schedules().update(WorkflowSpec.of(find("w")).tasks(task, task).build());

    assertThat(find("w").last().executionId()).isEqualTo(execution);
  }

  @Test
  void listsThoseWithATask() {
    int other = addTask("other");
    for (String name : List.of("c", "a", "b")) {
      add(workflow(name).tasks(task, other, task));
    }
    StoredWorkflow without = add(workflow("d"));

    assertThat(store.schedules().withTask(other, null, 2)).containsExactly(find("a"), find("b"));
    assertThat(store.schedules().withTask(other, id("b"), 2)).containsExactly(find("c"));
    assertThat(store.schedules().withTask(task, id("b"), 9)).containsExactly(find("c"), without);
    assertThat(store.schedules().withTask(Integer.MAX_VALUE, null, 9)).isEmpty();
  }

  @Test
  void listsById() {
    for (String name : List.of("B2", "a1", "B1", "c", "_")) {
      add(workflow(name));
    }

    List<StoredWorkflow> all = store.schedules().list(type, null, null, 10);
    assertThat(all)
        .extracting(StoredWorkflow::workflowId)
        .containsExactly(id("B1"), id("B2"), id("_"), id("a1"), id("c"));
    assertThat(all.getFirst()).isEqualTo(find("B1"));
    assertThat(store.schedules().list(type, null, id("B1"), 2)).isEqualTo(all.subList(1, 3));
    assertThat(store.schedules().list("none", null, null, 10)).isEmpty();
  }

  @Test
  void listsThoseWithATextInTheirId() {
    for (String name : List.of("100%", "100x", "day_one", "dayXone")) {
      add(workflow(name));
    }

    assertThat(named("DAY_O")).containsExactly(id("day_one"));
    assertThat(named("00%")).containsExactly(id("100%"));
    assertThat(named("Y")).contains(id("dayXone"), id("day_one"));
    assertThat(named("no such")).isEmpty();
  }

  private List<String> named(String text) {
    return store.schedules().list(type, text, null, 10).stream()
        .map(StoredWorkflow::workflowId)
        .toList();
  }

  @Test
  void removesAWorkflowWithItsFires() {
    long execution = fired("w");
    end(execution, InstanceStatus.FAILED);

    assertThat(store.schedules().remove(id("w"))).isEqualTo(new Change.Done(0, 2));

    assertThat(store.schedules().find(id("w"))).isEmpty();
    assertThat(store.schedules().fires(id("w"), null, 10)).isEmpty();
    assertThat(store.schedules().remove(id("w"))).isEqualTo(new Change.Missing());
    assertThat(store.tasks().remove(task)).isInstanceOf(Change.Done.class);
    assertThat(read(execution).position().status()).isEqualTo(InstanceStatus.FAILED);
  }

  @Test
  void keepsAWorkflowThatRuns() {
    long execution = fired("w");

    assertThat(store.schedules().remove(id("w")))
        .isEqualTo(new Change.InUse(List.of(String.valueOf(execution))));
    assertThat(store.schedules().find(id("w"))).isPresent();
    assertThat(store.schedules().fires(id("w"), null, 10)).hasSize(1);
  }
}
