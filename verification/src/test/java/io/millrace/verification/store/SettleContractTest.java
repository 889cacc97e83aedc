package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.DeedCommand;
import io.millrace.store.ScheduleStore.Fire;
import io.millrace.store.ScheduleStore.FireResult;
import io.millrace.store.ScheduleStore.Flags;
import io.millrace.store.ScheduleStore.LastExecution;
import io.millrace.store.ScheduleStore.Outcome;
import io.millrace.store.ScheduleStore.StoredWorkflow;
import io.millrace.store.ScheduleStore.Times;
import io.millrace.store.TaskStore.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of a workflow when its execution has ended. */
class SettleContractTest extends ScheduleContract {

  SettleContractTest(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void whatFinishedGoesOnWithItsSchedule() {
    Instant slot = now();
    long execution = fired("w");
    claimed(execution);
    assertThat(find("w").last().running()).isTrue();
    assertThat(find("w").last().attempt()).isEqualTo(1);
    assertThat(store.schedules().settle(10)).isZero();
    pass(SECOND);
    saved(move(read(execution)).end(InstanceStatus.FINISHED));
    assertThat(find("w").last().settled()).isFalse();
    pass(SECOND);

    assertThat(store.schedules().settle(10)).isEqualTo(1);

    StoredWorkflow after = find("w");
    Instant end = slot.plus(SECOND);
    assertThat(after.times()).isEqualTo(new Times(slot.plus(HOUR), slot.plus(HOUR), end));
    assertThat(after.revision()).isEqualTo(3);
    assertThat(after.last().settled()).isTrue();
    assertThat(after.last().status()).isEqualTo(InstanceStatus.FINISHED);
    assertThat(fires("w").getFirst().ended()).isEqualTo(end);
    assertThat(fires("w").getFirst().result()).isEqualTo(InstanceStatus.FINISHED);
    assertThat(store.schedules().settle(10)).isZero();
    assertThat(find("w")).isEqualTo(after);
  }

  @Test
  void settlesNoMoreThanItMay() {
    for (String name : List.of("a", "b", "c")) {
      end(fired(name), InstanceStatus.FINISHED);
    }

    assertThat(store.schedules().settle(2)).isEqualTo(2);
    assertThat(store.schedules().settle(2)).isEqualTo(1);
  }

  @Test
  void whatIsDueEarlierStaysSo() {
    Instant soon = now().plusSeconds(30);
    end(fired("w"), InstanceStatus.FINISHED);
    store.schedules().update(WorkflowSpec.of(find("w")).times(now().plus(HOUR), soon).build());

    store.schedules().settle(10);

    assertThat(find("w").times().due()).isEqualTo(soon);
  }

  @Test
  void whatFailedWaitsForAPerson() {
    end(fired("w"), InstanceStatus.FAILED);

    assertThat(store.schedules().settle(10)).isEqualTo(1);

    assertThat(find("w").times().due()).isNull();
    assertThat(find("w").times().lastRun()).isEqualTo(now());
    assertThat(fires("w").getFirst().result()).isEqualTo(InstanceStatus.FAILED);
  }

  @Test
  void aPausedOrInactiveWorkflowStaysUndue() {
    end(fired("paused"), InstanceStatus.FINISHED);
    end(fired("inactive"), InstanceStatus.FINISHED);
    store.schedules().update(WorkflowSpec.of(find("paused")).paused("ann", null).build());
    store.schedules().update(WorkflowSpec.of(find("inactive")).inactive().build());

    assertThat(store.schedules().settle(10)).isEqualTo(2);

    assertThat(find("paused").times().due()).isNull();
    assertThat(find("inactive").times().due()).isNull();
  }

  @Test
  void whatIsWantedAtOnceIsDueAtTheEnd() {
    for (InstanceStatus end : List.of(InstanceStatus.FINISHED, InstanceStatus.FAILED)) {
      String name = end.code();
      long execution = fired(name);
      store
          .schedules()
          .update(
              WorkflowSpec.of(find(name))
                  .flags(new Flags(true, true, true, false, null, null))
                  .times(now().plus(HOUR), null)
                  .build());
      end(execution, end);
      pass(SECOND);

      store.schedules().settle(10);

      assertThat(find(name).times().due()).as(name).isEqualTo(now());
    }
  }

  @Test
  void whatIsRetriedAfterAllIsSettledAgain() {
    Instant slot = now();
    long execution = fired("w");
    end(execution, InstanceStatus.FAILED);
    store.schedules().settle(10);

    done(read(execution), new DeedCommand.Retry());

    assertThat(find("w").last().status()).isEqualTo(InstanceStatus.IN_PROGRESS);
    assertThat(find("w").last().settled()).isFalse();
    assertThat(fires("w").getFirst().ended()).isNull();
    assertThat(fires("w").getFirst().result()).isNull();
    assertThat(store.schedules().settle(10)).isZero();
    assertThat(store.schedules().remove(id("w"))).isInstanceOf(Change.InUse.class);
    pass(SECOND);
    end(execution, InstanceStatus.FINISHED);
    assertThat(store.schedules().settle(10)).isEqualTo(1);
    assertThat(find("w").times())
        .isEqualTo(new Times(slot.plus(HOUR), Times.AT_ONCE, slot.plus(SECOND)));
    assertThat(fires("w").getFirst().result()).isEqualTo(InstanceStatus.FINISHED);
  }

  private StoredWorkflow resting(String name, InstanceStatus status) {
    long execution = fired(name);
    if (status == InstanceStatus.MANUAL) {
      WorkflowInstance instance = claimed(execution);
      saved(move(instance).status(InstanceStatus.MANUAL).due(NEVER));
    } else {
      end(execution, status);
    }
    store.schedules().settle(10);
    StoredWorkflow workflow = find(name);
    assertThat(workflow.times().due()).isNull();
    return workflow;
  }

  private void resumed(StoredWorkflow workflow, DeedCommand command) {
    done(read(workflow.last().executionId()), command);
  }

  private static DeedCommand.Move moveTo(InstanceStatus status) {
    return new DeedCommand.Move("other", status, Due.NOW, null, null);
  }

  @Test
  void theScheduleOfWhatIsResumedIsLookedAt() {
    int number = 0;
    for (InstanceStatus status : List.of(InstanceStatus.FAILED, InstanceStatus.MANUAL)) {
      for (DeedCommand command :
          List.of(new DeedCommand.Retry(), moveTo(InstanceStatus.IN_PROGRESS))) {
        String name = "w" + number++;
        StoredWorkflow before = resting(name, status);
        pass(SECOND);

        resumed(before, command);

        Times times = find(name).times();
        assertThat(times)
            .as("%s from %s", command, status)
            .isEqualTo(
                new Times(before.times().nextRun(), Times.AT_ONCE, before.times().lastRun()));
        assertThat(find(name).revision()).isEqualTo(before.revision() + 1);
        assertThat(store.schedules().nextDue(group)).contains(Times.AT_ONCE);
        store.schedules().update(WorkflowSpec.of(find(name)).times(null, null).build());
      }
    }
  }

  @Test
  void theScheduleOfWhatIsResumedRestsWhenItMayNotGoOn() {
    StoredWorkflow paused = resting("paused", InstanceStatus.FAILED);
    store.schedules().update(WorkflowSpec.of(paused).paused("ann", null).build());
    StoredWorkflow inactive = resting("inactive", InstanceStatus.FAILED);
    store.schedules().update(WorkflowSpec.of(inactive).inactive().build());
    StoredWorkflow over = resting("over", InstanceStatus.FAILED);
    store.schedules().update(WorkflowSpec.of(over).times(null, null).build());
    StoredWorkflow parked = resting("parked", InstanceStatus.FAILED);
    StoredWorkflow older = resting("older", InstanceStatus.FAILED);
    fire(firing(older).start(now().plusSeconds(1), 0, instance()));

    for (StoredWorkflow workflow : List.of(paused, inactive, over, older)) {
      resumed(workflow, new DeedCommand.Retry());
    }
    resumed(parked, moveTo(InstanceStatus.MANUAL));

    for (String name : List.of("paused", "inactive", "over", "parked", "older")) {
      assertThat(find(name).times().due()).as(name).isNull();
    }
    resumed(parked, new DeedCommand.Retry());
    assertThat(find("parked").times().due()).isEqualTo(Times.AT_ONCE);
  }

  @Test
  void whatIsResumedBeforeItsNextSlotIsDueThen() {
    Instant soon = now().plusSeconds(30);
    StoredWorkflow workflow = resting("w", InstanceStatus.FAILED);
    store.schedules().update(WorkflowSpec.of(workflow).times(soon, soon).build());

    resumed(workflow, new DeedCommand.Retry());

    assertThat(find("w").times().due()).isEqualTo(soon);
  }

  @Test
  void anOlderExecutionSaysNothingOfTheWorkflow() {
    long older = fired("w");
    FireResult.Written newer =
        (FireResult.Written) fire(firing(find("w")).start(now().plusSeconds(1), 0, instance()));
    StoredWorkflow before = find("w");
    end(older, InstanceStatus.FINISHED);

    assertThat(store.schedules().settle(10)).isEqualTo(1);

    assertThat(find("w").times()).isEqualTo(before.times());
    assertThat(find("w").revision()).isEqualTo(before.revision());
    assertThat(find("w").last().executionId()).isEqualTo(newer.executionId());
    assertThat(fires("w").getLast().result()).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void retentionLeavesAloneWhatIsNotSettled() {
    long execution = fired("w");
    end(execution, InstanceStatus.FINISHED);
    Duration age = Duration.ofDays(30);
    pass(age.multipliedBy(2));

    store.retention().delete(age, 1000);
    store.retention().archive(age, 1000);
    assertThat(store.queries().find(execution)).isPresent();
    store.schedules().settle(10);
    store.retention().archive(age, 1000);

    assertThat(store.queries().find(execution)).isEmpty();
    LastExecution last = find("w").last();
    assertThat(last.status()).isEqualTo(InstanceStatus.FINISHED);
    assertThat(last.settled()).isTrue();
    assertThat(last.running()).isFalse();
    assertThat(last.attempt()).isZero();
  }

  @Test
  void whatBecameOfSlotsGoesWhenNothingOfItIsLeft() {
    Duration age = Duration.ofDays(30);
    long first = fired("w");
    end(first, InstanceStatus.FINISHED);
    store.schedules().settle(10);
    StoredWorkflow workflow = find("w");
    fire(
        firing(workflow)
            .fire(WorkflowSpec.unfired(now(), Outcome.SKIPPED, "holiday", 1))
            .next(now().plus(HOUR), now().plus(HOUR)));
    pass(HOUR);
    long second = fireAll().executions().get(id("w"));
    end(second, InstanceStatus.FINISHED);
    store.schedules().settle(10);
    pass(age);
    deleteFires(age);
    assertThat(fires("w")).extracting(Fire::executionId).containsExactly(second, first);

    pass(age);
    while (store.retention().archive(age, 1000) > 0) {}
    deleteFires(age);
    assertThat(fires("w")).extracting(Fire::executionId).containsExactly(second, first);
    while (store.retention().deleteArchived(age, 1000) > 0) {}
    deleteFires(age);

    assertThat(fires("w")).extracting(Fire::executionId).containsExactly(second);
    assertThat(find("w").last().status()).isEqualTo(InstanceStatus.FINISHED);
  }

  private void deleteFires(Duration age) {
    int deleted;
    do {
      deleted = store.retention().deleteFires(age, 3);
      assertThat(deleted).isLessThanOrEqualTo(3);
    } while (deleted > 0);
  }
}
