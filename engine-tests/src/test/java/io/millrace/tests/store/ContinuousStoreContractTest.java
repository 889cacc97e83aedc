package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.fixtures.store.ContinuousStoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StopReason;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.Filter;
import io.millrace.store.ContinuousStore.FireResult;
import io.millrace.store.ContinuousStore.LogEntry;
import io.millrace.store.ContinuousStore.LogEntryType;
import io.millrace.store.ContinuousStore.OfferResult;
import io.millrace.store.ContinuousStore.Registration;
import io.millrace.store.ContinuousStore.TriggerFailure;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.store.StoredContinuousWorkflow.OwnerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the list of continuous workflows, and of their ownership. */
class ContinuousStoreContractTest extends ContinuousStoreContract {

  ContinuousStoreContractTest(StoreFixture subject) {
    super(subject);
  }

  @Test
  void aNewWorkflowIsWithoutRun() {
    registerEnabled("a");

    StoredContinuousWorkflow workflow = found("a");

    assertThat(workflow.identity()).isEqualTo(identity("a"));
    assertThat(workflow.requested())
        .isEqualTo(new StoredContinuousWorkflow.RequestedState(true, null, 1, now()));
    assertThat(workflow.ownership())
        .isEqualTo(new StoredContinuousWorkflow.Ownership(null, 0, null));
    assertThat(workflow.run()).isNull();
    assertThat(workflow.activity())
        .isEqualTo(new StoredContinuousWorkflow.Activity(0, 0, null, null, null, null));
    assertThat(workflow.position()).isNull();
    assertThat(workflow.health())
        .isEqualTo(new StoredContinuousWorkflow.Health(0, null, false, null, now(), null, null));
    assertThat(types("a")).containsExactly(LogEntryType.ENABLED);
  }

  @Test
  void aDisabledOneIsNotUnowned() {
    registerDisabled("off");
    registerEnabled("on");

    assertThat(continuous.unowned(group, executor, 10)).containsExactly(name("on"));
    assertThat(continuous.claim(executor, List.of(name("off")))).isEmpty();
    assertThat(found("off").health().downSince()).isNull();
    assertThat(types("off")).isEmpty();
  }

  @Test
  void registeringAgainKeepsWhatIsWanted() {
    StoredContinuousWorkflow before = running("a");
    StoredContinuousWorkflow.Identity other =
        new StoredContinuousWorkflow.Identity(name("a"), group, "other", "{}");

    continuous.register(List.of(new Registration(other, false)));

    StoredContinuousWorkflow after = found("a");
    assertThat(after.identity()).isEqualTo(other);
    assertThat(after.requested().enabled()).isTrue();
    assertThat(after.requested().revision()).isEqualTo(before.requested().revision() + 1);
    assertThat(after.ownership()).isEqualTo(before.ownership());
    assertThat(continuous.changed(executor)).containsExactly(after);
    continuous.register(List.of(new Registration(other, true)));
    assertThat(found("a")).isEqualTo(after);
  }

  @Test
  void impossibleWorkflowsAreRefused() {
    for (String name : List.of("", " ", "nul\0", "half\uD83D", "x".repeat(201))) {
      assertThatThrownBy(() ->
              continuous.register(
                  List.of(
                      new Registration(
                          new StoredContinuousWorkflow.Identity(name, group, type, "{}"), true))))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("The name of a continuous workflow");
      assertThat(continuous.find(name)).isEmpty();
      assertThat(continuous.setEnabled(name, true, BY_ALICE)).isFalse();
      assertThat(continuous.request(name, OwnerRequest.RESTART, null, BY_ALICE)).isFalse();
      assertThat(continuous.debug(name, MINUTE, BY_ALICE)).isFalse();
      assertThat(continuous.remove(name)).isFalse();
      assertThat(continuous.log(name, null, 1)).isEmpty();
      assertThat(continuous.offeredEvents(name, 1)).isEmpty();
      assertThat(continuous.offer(name, "key", "{}", 1_000)).isEqualTo(OfferResult.UNKNOWN);
    }
    assertThatThrownBy(() -> registerEnabled("twice", "twice"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("Two continuous workflows are called '" + name("twice") + "'");
    assertThat(continuous.list(new Filter(group, null, null, null, false), null, 10)).isEmpty();
  }

  @Test
  void strangeNamesAreKept() {
    List<String> strange =
        List.of(
            "it's", "a \"quoted\" one", "100%_!", "ünïcødé 漢字 \uD83D\uDE00", "; DROP TABLE x --");
    for (String name : strange) {
      StoredContinuousWorkflow workflow = running(name);
      assertThat(found(name)).isEqualTo(workflow);
      assertThat(log(name)).hasSize(2);
    }
    String longest = "y".repeat(200 - prefix.length());
    assertThat(running(longest).name()).hasSize(200);
    assertThat(continuous.owned(executor)).hasSize(strange.size() + 1);
    assertThat(continuous.list(new Filter(group, null, null, "0%_!", false), null, 10))
        .extracting(StoredContinuousWorkflow::name)
        .containsExactly(name("100%_!"));
    assertThat(continuous.list(new Filter(group, null, null, "\0", false), null, 10)).isEmpty();
  }

  @Test
  void workflowsAreListedByFilters() {
    registerEnabled("a", "b", "c");
    registerDisabled("off");
    StoredContinuousWorkflow a = claimed(executor, "a");
    StoredContinuousWorkflow b = claimed(executor, "b");
    continuous.recordFailure(owner(b), new TriggerFailure("broken", 1, MINUTE, false));

    assertThat(names(new Filter(group, null, null, null, false)))
        .containsExactly("a", "b", "c", "off");
    assertThat(names(new Filter(group, false, null, null, false))).containsExactly("off");
    assertThat(names(new Filter(group, null, executor, null, false))).containsExactly("a");
    assertThat(names(new Filter(group, null, null, "OF", false))).containsExactly("off");
    assertThat(names(new Filter(group, null, null, null, true))).containsExactly("b", "c");
    assertThat(continuous.list(new Filter(group, null, null, null, false), a.name(), 2))
        .extracting(StoredContinuousWorkflow::name)
        .containsExactly(name("b"), name("c"));
    assertThat(continuous.list(Filter.ALL, name("c"), 1))
        .extracting(StoredContinuousWorkflow::name)
        .containsExactly(name("off"));
  }

  private List<String> names(Filter filter) {
    return continuous.list(filter, null, 10).stream()
        .map(workflow -> workflow.name().substring(prefix.length()))
        .toList();
  }

  @Test
  void aClaimBeginsTheFirstRun() {
    registerEnabled("a");
    advance(SECOND);

    StoredContinuousWorkflow workflow = claimed(executor, "a");

    assertThat(workflow.ownership())
        .isEqualTo(new StoredContinuousWorkflow.Ownership(executor, 1, null));
    assertThat(workflow.run())
        .isEqualTo(new StoredContinuousWorkflow.Run(1, 1, now(), now(), "AutoStart", "DEPLOY"));
    assertThat(workflow.health().downSince()).isNull();
    assertThat(found("a")).isEqualTo(workflow);
    assertThat(continuous.owned(executor)).isEqualTo(Map.of(name("a"), 1L));
    assertThat(continuous.ownedCounts(group)).isEqualTo(Map.of(executor, 1));
    assertThat(log("a").getFirst())
        .isEqualTo(
            new LogEntry(
                2,
                now(),
                LogEntryType.STARTED,
                "DEPLOY",
                executor,
                new LogEntry.RunNumbers(1, 1, 1),
                "AutoStart"));
    assertThat(continuous.claim(register(), List.of(name("a")))).isEmpty();
  }

  @Test
  void onlyTheLivingOfTheGroupMayClaim() {
    registerEnabled("a", "b");
    long stopped = register();
    store.executors().markStopped(stopped);
    long other = register("another group");
    assertThat(continuous.claim(stopped, List.of(name("a")))).isEmpty();
    assertThat(continuous.claim(other, List.of(name("a")))).isEmpty();
    assertThat(continuous.claim(-7, List.of(name("a")))).isEmpty();
    expireLeases();
    assertThat(continuous.claim(executor, List.of(name("a")))).isEmpty();
    assertThat(continuous.ownedCounts(group)).isEqualTo(Map.of(0L, 2));
  }

  @Test
  void whatWasGivenBackIsStartedForTheReason() {
    StoredContinuousWorkflow first = running("a");
    long heir = register();

    assertThat(continuous.release(List.of(owner(first)), "DRAIN", null)).isEqualTo(1);
    assertThat(continuous.release(List.of(owner(first)), "DRAIN", null)).isZero();
    advance(SECOND);

    assertThat(found("a").health().downSince()).isEqualTo(now().minus(SECOND));
    StoredContinuousWorkflow second = claimed(heir, "a");
    assertThat(second.ownership()).isEqualTo(new StoredContinuousWorkflow.Ownership(heir, 2, null));
    assertThat(second.run())
        .isEqualTo(
            new StoredContinuousWorkflow.Run(
                1, 2, first.run().seriesStarted(), now(), "AutoStart", "DRAIN"));
    assertThat(types("a"))
        .containsExactly(
            LogEntryType.STARTED,
            LogEntryType.RELEASED,
            LogEntryType.STARTED,
            LogEntryType.ENABLED);
    assertThat(log("a").get(1).executorId()).isEqualTo(executor);
  }

  @Test
  void thePreferredExecutorComesFirst() {
    StoredContinuousWorkflow a = running("a");
    StoredContinuousWorkflow b = running("b");
    long heir = register();
    continuous.release(List.of(owner(a)), "MOVE", null);
    continuous.release(List.of(owner(b)), "MOVE", heir);

    assertThat(continuous.unowned(group, heir, 10)).containsExactly(name("b"), name("a"));
    assertThat(continuous.unowned(group, executor, 10)).containsExactly(name("a"));
    store.executors().cordon(heir, BY_ALICE);
    assertThat(continuous.unowned(group, executor, 10)).containsExactly(name("a"), name("b"));
    assertThat(claimed(executor, "b").ownership().preferred()).isNull();
  }

  @Test
  void thePreferredExecutorIsNotWaitedForForever() {
    StoredContinuousWorkflow a = running("a");
    long heir = register();
    continuous.release(List.of(owner(a)), "MOVE", heir);

    advance(Duration.ofSeconds(4));
    assertThat(continuous.unowned(group, executor, 10)).isEmpty();
    advance(SECOND);
    assertThat(continuous.unowned(group, executor, 10)).containsExactly(name("a"));
  }

  @Test
  void aFailureBacksOff() {
    StoredContinuousWorkflow first = running("a");

    assertThat(
            continuous.recordFailure(
                owner(first), new TriggerFailure("e".repeat(2_000), 3, MINUTE, true)))
        .isTrue();

    StoredContinuousWorkflow failed = found("a");
    assertThat(failed.health().failures()).isEqualTo(3);
    assertThat(failed.health().backOffUntil()).isEqualTo(now().plus(MINUTE));
    assertThat(failed.health().crashLoop()).isTrue();
    assertThat(failed.health().error()).hasSize(1_000);
    assertThat(continuous.unowned(group, executor, 10)).isEmpty();
    assertThat(continuous.claim(executor, List.of(name("a")))).isEmpty();
    assertThat(continuous.recordFailure(owner(first), new TriggerFailure("again", 4, MINUTE, true)))
        .isFalse();
    advance(Duration.ofSeconds(59));
    renew(executor);
    assertThat(continuous.unowned(group, executor, 10)).isEmpty();
    advance(SECOND);
    assertThat(continuous.unowned(group, executor, 10)).containsExactly(name("a"));
    StoredContinuousWorkflow second = claimed(executor, "a");
    assertThat(second.run().mode()).isEqualTo("AutoStart");
    assertThat(second.run().reason()).isEqualTo("RESTART");
    assertThat(second.health().crashLoop()).isTrue();
    assertThat(second.health().backOffUntil()).isNull();
    continuous.recordFailure(owner(second), new TriggerFailure("again", 4, MINUTE, true));
    assertThat(types("a"))
        .containsExactly(
            LogEntryType.FAILED,
            LogEntryType.STARTED,
            LogEntryType.CRASH_LOOP,
            LogEntryType.FAILED,
            LogEntryType.STARTED,
            LogEntryType.ENABLED);
  }

  @Test
  void theHealthyForgetTheirFailures() {
    StoredContinuousWorkflow first = running("a");
    continuous.recordFailure(owner(first), new TriggerFailure("broken", 1, Duration.ZERO, true));
    StoredContinuousWorkflow second = claimed(executor, "a");
    assertThat(second.health().error()).isEqualTo("broken");

    assertThat(continuous.updatePosition(owner(second), second.run().generation(), "7")).isTrue();

    assertThat(found("a").health())
        .isEqualTo(new StoredContinuousWorkflow.Health(0, null, false, null, null, null, null));
    assertThat(found("a").position()).isEqualTo("7");
  }

  @Test
  void aDeadExecutorLosesAll() {
    StoredContinuousWorkflow first = running("a");
    long heir = register();
    expireLeases();
    renew(heir);
    assertThat(store.executors().expired(group)).containsExactly(executor);
    assertThat(found("a").ownership().executorId()).isEqualTo(executor);

    assertThat(store.executors().recover(executor, heir, 10, 5)).isEmpty();

    assertThat(store.executors().expired(group)).isEmpty();
    assertThat(found("a").health().downSince()).isEqualTo(now());
    assertThat(continuous.owned(executor)).isEmpty();
    StoredContinuousWorkflow second = claimed(heir, "a");
    assertThat(second.run().mode()).isEqualTo("AutoStart");
    assertThat(second.run().reason()).isEqualTo("FAILOVER");
    assertThat(second.ownership().epoch()).isEqualTo(2);
    assertThat(continuous.fire(event(first, "late", "late"))).isEqualTo(new FireResult.NotOwner());
    assertThat(continuous.updatePosition(owner(first), first.run().generation(), "late")).isFalse();
    assertThat(continuous.release(List.of(owner(first)), "LATE", null)).isZero();
    assertThat(found("a")).isEqualTo(second);
    assertThat(types("a"))
        .containsExactly(
            LogEntryType.STARTED, LogEntryType.LOST, LogEntryType.STARTED, LogEntryType.ENABLED);
    assertThat(log("a").get(1).detail()).startsWith("Executor " + executor + " on host died");
  }

  @Test
  void anExecutorThatIsForgottenLosesAll() {
    running("a");
    store.executors().markStopped(executor);
    long late = register();
    claimed(late, "a");
    expireLeases();
    assertThat(store.executors().recover(late, late, 10, 5)).isEmpty();
    advance(HOUR);

    assertThat(store.retention().deleteExecutors(MINUTE, 10)).isPositive();

    assertThat(store.executors().recoveredOwners(group)).isEmpty();
    assertThat(found("a").ownership().executorId()).isNull();
  }

  @Test
  void onlyWhatBelongsToTheLivingIsKeptByRecovery() {
    running("a");
    long heir = register();

    assertThat(store.executors().recover(executor, heir, 10, 5)).isEmpty();

    assertThat(found("a").ownership().executorId()).isEqualTo(executor);
  }

  @Test
  void anExecutorThatStopsHandsOver() {
    running("a");
    running("b");
    long heir = register();

    store.executors().markStopped(executor);

    assertThat(continuous.ownedCounts(group)).isEqualTo(Map.of(0L, 2));
    assertThat(store.executors().expired(group)).isEmpty();
    StoredContinuousWorkflow second = claimed(heir, "a");
    assertThat(second.run().mode()).isEqualTo("AutoStart");
    assertThat(second.run().reason()).isEqualTo("HAND_OVER");
    assertThat(types("a"))
        .containsExactly(
            LogEntryType.STARTED,
            LogEntryType.RELEASED,
            LogEntryType.STARTED,
            LogEntryType.ENABLED);
  }

  @ParameterizedTest
  @CsvSource({"RECYCLE, RECYCLE", "ROLLOUT, DEPLOY", "DRAIN, HAND_OVER", "SHUTDOWN, HAND_OVER"})
  void whyAnExecutorStopsIsWhyTheNextRunBegins(StopReason why, String reason) {
    running("a");
    long heir = register();
    store.executors().requestDrain(executor, new DrainRequest(why, null), OperatorAction.by("ann"));

    store.executors().markStopped(executor);

    assertThat(claimed(heir, "a").run().reason()).isEqualTo(reason);
    assertThat(continuous.log(name("a"), null, 2))
        .extracting(LogEntry::reason)
        .containsOnly(reason);
  }

  @Test
  void theLogComesInPagesAndItsOldestEntriesAreTrimmed() {
    StoredContinuousWorkflow workflow = running("a");
    registerEnabled("b");
    for (int i = 0; i < 5; i++) {
      continuous.release(List.of(owner(workflow)), "ROUND", null);
      workflow = claimed(executor, "a");
    }

    assertThat(log("a")).hasSize(12);
    assertThat(continuous.log(name("a"), 11L, 3))
        .extracting(entry -> entry.id())
        .containsExactly(10L, 9L, 8L);
    while (store.role(ContinuousStore.class).trimLog(4, 100) > 0) {
      // other tests have left entries as well
    }
    assertThat(log("a")).extracting(entry -> entry.id()).containsExactly(12L, 11L, 10L, 9L);
    assertThat(log("b")).hasSize(1);
    assertThat(store.role(ContinuousStore.class).trimLog(4, 100)).isZero();
  }

  @Test
  void executionsGoOnWhenTheWorkflowIsGivenBack() {
    StoredContinuousWorkflow first = running("a");
    long execution = fire(first, "1");
    continuous.release(List.of(owner(first)), "DRAIN", null);

    StoredContinuousWorkflow second = claimed(executor, "a");

    assertThat(second.activity().executionId()).isEqualTo(execution);
    assertThat(second.position()).isEqualTo("1");
    assertThat(continuous.acknowledgeEnded(executor, List.of())).isEmpty();
    end(execution, InstanceStatus.FINISHED);
    assertThat(continuous.acknowledgeEnded(executor, List.of())).hasSize(1);
  }
}
