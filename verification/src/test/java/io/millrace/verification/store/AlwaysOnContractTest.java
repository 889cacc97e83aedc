package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.Deed;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StopReason;
import io.millrace.store.AlwaysOn;
import io.millrace.store.AlwaysOn.Desired;
import io.millrace.store.AlwaysOn.Request;
import io.millrace.store.AlwaysOnStore.Event;
import io.millrace.store.AlwaysOnStore.EventType;
import io.millrace.store.AlwaysOnStore.Failure;
import io.millrace.store.AlwaysOnStore.Filter;
import io.millrace.store.AlwaysOnStore.FireResult;
import io.millrace.store.AlwaysOnStore.OfferResult;
import io.millrace.store.AlwaysOnStore.Registration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which continuous workflows there are, and who owns each. */
class AlwaysOnContractTest extends AlwaysOnContract {

  AlwaysOnContractTest(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void aNewWorkflowIsWithoutRun() {
    register(Desired.ON, "a");

    AlwaysOn workflow = found("a");

    assertThat(workflow.identity()).isEqualTo(identity("a"));
    assertThat(workflow.wish()).isEqualTo(new AlwaysOn.Wish(Desired.ON, null, 1, now()));
    assertThat(workflow.ownership()).isEqualTo(new AlwaysOn.Ownership(null, 0, null));
    assertThat(workflow.run()).isNull();
    assertThat(workflow.work()).isEqualTo(new AlwaysOn.Work(0, 0, null, null, null, null));
    assertThat(workflow.position()).isNull();
    assertThat(workflow.health())
        .isEqualTo(new AlwaysOn.Health(0, null, false, null, now(), null, null));
    assertThat(types("a")).containsExactly(EventType.SWITCHED_ON);
  }

  @Test
  void oneThatShallNotRunIsNoOrphan() {
    register(Desired.OFF, "off");
    register(Desired.ON, "on");

    assertThat(alwaysOn.orphans(group, executor, 10)).containsExactly(name("on"));
    assertThat(alwaysOn.claim(executor, List.of(name("off")))).isEmpty();
    assertThat(found("off").health().downSince()).isNull();
    assertThat(types("off")).isEmpty();
  }

  @Test
  void registeringAgainKeepsWhatIsWanted() {
    AlwaysOn before = running("a");
    AlwaysOn.Identity other = new AlwaysOn.Identity(name("a"), group, "other", "{}");

    alwaysOn.register(List.of(new Registration(other, Desired.OFF)));

    AlwaysOn after = found("a");
    assertThat(after.identity()).isEqualTo(other);
    assertThat(after.wish().desired()).isEqualTo(Desired.ON);
    assertThat(after.wish().revision()).isEqualTo(before.wish().revision() + 1);
    assertThat(after.ownership()).isEqualTo(before.ownership());
    assertThat(alwaysOn.changed(executor)).containsExactly(after);
    alwaysOn.register(List.of(new Registration(other, Desired.ON)));
    assertThat(found("a")).isEqualTo(after);
  }

  @Test
  void impossibleWorkflowsAreRefused() {
    for (String name : List.of("", " ", "nul\0", "x".repeat(201))) {
      assertThatThrownBy(() ->
              alwaysOn.register(
                  List.of(
                      new Registration(
                          new AlwaysOn.Identity(name, group, type, "{}"), Desired.ON))))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("The name of a continuous workflow");
      assertThat(alwaysOn.find(name)).isEmpty();
      assertThat(alwaysOn.desire(name, Desired.ON, DEED)).isFalse();
      assertThat(alwaysOn.ask(name, Request.RESTART, null, DEED)).isFalse();
      assertThat(alwaysOn.debug(name, MINUTE, DEED)).isFalse();
      assertThat(alwaysOn.remove(name)).isFalse();
      assertThat(alwaysOn.events(name, null, 1)).isEmpty();
      assertThat(alwaysOn.offers(name, 1)).isEmpty();
      assertThat(alwaysOn.offer(name, "key", "{}", 1_000)).isEqualTo(OfferResult.UNKNOWN);
    }
    assertThatThrownBy(() -> register(Desired.ON, "twice", "twice"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("Two continuous workflows are called '" + name("twice") + "'");
    assertThat(alwaysOn.list(new Filter(group, null, null, null, false), null, 10)).isEmpty();
  }

  @Test
  void strangeNamesAreKept() {
    List<String> strange =
        List.of(
            "it's", "a \"quoted\" one", "100%_!", "ünïcødé 漢字 \uD83D\uDE00", "; DROP TABLE x --");
    for (String name : strange) {
      AlwaysOn workflow = running(name);
      assertThat(found(name)).isEqualTo(workflow);
      assertThat(events(name)).hasSize(2);
    }
    String longest = "y".repeat(200 - prefix.length());
    assertThat(running(longest).name()).hasSize(200);
    assertThat(alwaysOn.owned(executor)).hasSize(strange.size() + 1);
    assertThat(alwaysOn.list(new Filter(group, null, null, "0%_!", false), null, 10))
        .extracting(AlwaysOn::name)
        .containsExactly(name("100%_!"));
    assertThat(alwaysOn.list(new Filter(group, null, null, "\0", false), null, 10)).isEmpty();
  }

  @Test
  void workflowsAreListedByFilters() {
    register(Desired.ON, "a", "b", "c");
    register(Desired.OFF, "off");
    AlwaysOn a = claimed(executor, "a");
    AlwaysOn b = claimed(executor, "b");
    alwaysOn.failed(owner(b), new Failure("broken", 1, MINUTE, false));

    assertThat(names(new Filter(group, null, null, null, false)))
        .containsExactly("a", "b", "c", "off");
    assertThat(names(new Filter(group, Desired.OFF, null, null, false))).containsExactly("off");
    assertThat(names(new Filter(group, null, executor, null, false))).containsExactly("a");
    assertThat(names(new Filter(group, null, null, "OF", false))).containsExactly("off");
    assertThat(names(new Filter(group, null, null, null, true))).containsExactly("b", "c");
    assertThat(alwaysOn.list(new Filter(group, null, null, null, false), a.name(), 2))
        .extracting(AlwaysOn::name)
        .containsExactly(name("b"), name("c"));
    assertThat(alwaysOn.list(Filter.ALL, name("c"), 1))
        .extracting(AlwaysOn::name)
        .containsExactly(name("off"));
  }

  private List<String> names(Filter filter) {
    return alwaysOn.list(filter, null, 10).stream()
        .map(workflow -> workflow.name().substring(prefix.length()))
        .toList();
  }

  @Test
  void aClaimBeginsTheFirstRun() {
    register(Desired.ON, "a");
    pass(SECOND);

    AlwaysOn workflow = claimed(executor, "a");

    assertThat(workflow.ownership()).isEqualTo(new AlwaysOn.Ownership(executor, 1, null));
    assertThat(workflow.run())
        .isEqualTo(new AlwaysOn.Run(1, 1, now(), now(), "AutoStart", "DEPLOY"));
    assertThat(workflow.health().downSince()).isNull();
    assertThat(found("a")).isEqualTo(workflow);
    assertThat(alwaysOn.owned(executor)).isEqualTo(Map.of(name("a"), 1L));
    assertThat(alwaysOn.load(group)).isEqualTo(Map.of(executor, 1));
    assertThat(events("a").getFirst())
        .isEqualTo(
            new Event(
                2,
                now(),
                EventType.STARTED,
                "DEPLOY",
                executor,
                new Event.Standing(1, 1, 1),
                "AutoStart"));
    assertThat(alwaysOn.claim(register(), List.of(name("a")))).isEmpty();
  }

  @Test
  void onlyTheLivingOfTheGroupMayClaim() {
    register(Desired.ON, "a", "b");
    long stopped = register();
    store.executors().stop(stopped);
    long other = register("another group");
    assertThat(alwaysOn.claim(stopped, List.of(name("a")))).isEmpty();
    assertThat(alwaysOn.claim(other, List.of(name("a")))).isEmpty();
    assertThat(alwaysOn.claim(-7, List.of(name("a")))).isEmpty();
    expire();
    assertThat(alwaysOn.claim(executor, List.of(name("a")))).isEmpty();
    assertThat(alwaysOn.load(group)).isEqualTo(Map.of(0L, 2));
  }

  @Test
  void whatWasGivenBackIsStartedForTheReason() {
    AlwaysOn first = running("a");
    long heir = register();

    assertThat(alwaysOn.release(List.of(owner(first)), "DRAIN", null)).isEqualTo(1);
    assertThat(alwaysOn.release(List.of(owner(first)), "DRAIN", null)).isZero();
    pass(SECOND);

    assertThat(found("a").health().downSince()).isEqualTo(now().minus(SECOND));
    AlwaysOn second = claimed(heir, "a");
    assertThat(second.ownership()).isEqualTo(new AlwaysOn.Ownership(heir, 2, null));
    assertThat(second.run())
        .isEqualTo(new AlwaysOn.Run(1, 2, first.run().chainStarted(), now(), "AutoStart", "DRAIN"));
    assertThat(types("a"))
        .containsExactly(
            EventType.STARTED, EventType.GIVEN_BACK, EventType.STARTED, EventType.SWITCHED_ON);
    assertThat(events("a").get(1).executorId()).isEqualTo(executor);
  }

  @Test
  void thePreferredExecutorComesFirst() {
    AlwaysOn a = running("a");
    AlwaysOn b = running("b");
    long heir = register();
    alwaysOn.release(List.of(owner(a)), "MOVE", null);
    alwaysOn.release(List.of(owner(b)), "MOVE", heir);

    assertThat(alwaysOn.orphans(group, heir, 10)).containsExactly(name("b"), name("a"));
    assertThat(alwaysOn.orphans(group, executor, 10)).containsExactly(name("a"));
    store.executors().cordon(heir, DEED);
    assertThat(alwaysOn.orphans(group, executor, 10)).containsExactly(name("a"), name("b"));
    assertThat(claimed(executor, "b").ownership().preferred()).isNull();
  }

  @Test
  void thePreferredExecutorIsNotWaitedForForever() {
    AlwaysOn a = running("a");
    long heir = register();
    alwaysOn.release(List.of(owner(a)), "MOVE", heir);

    pass(Duration.ofSeconds(4));
    assertThat(alwaysOn.orphans(group, executor, 10)).isEmpty();
    pass(SECOND);
    assertThat(alwaysOn.orphans(group, executor, 10)).containsExactly(name("a"));
  }

  @Test
  void aFailureBacksOff() {
    AlwaysOn first = running("a");

    assertThat(alwaysOn.failed(owner(first), new Failure("e".repeat(2_000), 3, MINUTE, true)))
        .isTrue();

    AlwaysOn failed = found("a");
    assertThat(failed.health().restarts()).isEqualTo(3);
    assertThat(failed.health().backOffUntil()).isEqualTo(now().plus(MINUTE));
    assertThat(failed.health().crashLoop()).isTrue();
    assertThat(failed.health().error()).hasSize(1_000);
    assertThat(alwaysOn.orphans(group, executor, 10)).isEmpty();
    assertThat(alwaysOn.claim(executor, List.of(name("a")))).isEmpty();
    assertThat(alwaysOn.failed(owner(first), new Failure("again", 4, MINUTE, true))).isFalse();
    pass(Duration.ofSeconds(59));
    renew(executor);
    assertThat(alwaysOn.orphans(group, executor, 10)).isEmpty();
    pass(SECOND);
    assertThat(alwaysOn.orphans(group, executor, 10)).containsExactly(name("a"));
    AlwaysOn second = claimed(executor, "a");
    assertThat(second.run().mode()).isEqualTo("AutoStart");
    assertThat(second.run().reason()).isEqualTo("RESTART");
    assertThat(second.health().crashLoop()).isTrue();
    assertThat(second.health().backOffUntil()).isNull();
    alwaysOn.failed(owner(second), new Failure("again", 4, MINUTE, true));
    assertThat(types("a"))
        .containsExactly(
            EventType.FAILED,
            EventType.STARTED,
            EventType.CRASH_LOOP,
            EventType.FAILED,
            EventType.STARTED,
            EventType.SWITCHED_ON);
  }

  @Test
  void theHealthyForgetTheirFailures() {
    AlwaysOn first = running("a");
    alwaysOn.failed(owner(first), new Failure("broken", 1, Duration.ZERO, true));
    AlwaysOn second = claimed(executor, "a");
    assertThat(second.health().error()).isEqualTo("broken");

    assertThat(alwaysOn.move(owner(second), second.run().generation(), "7")).isTrue();

    assertThat(found("a").health())
        .isEqualTo(new AlwaysOn.Health(0, null, false, null, null, null, null));
    assertThat(found("a").position()).isEqualTo("7");
  }

  @Test
  void aDeadExecutorLosesAll() {
    AlwaysOn first = running("a");
    long heir = register();
    expire();
    renew(heir);
    assertThat(store.executors().expired(group)).containsExactly(executor);
    assertThat(found("a").ownership().executorId()).isEqualTo(executor);

    assertThat(store.executors().recover(executor, heir, 10, 5)).isEmpty();

    assertThat(store.executors().expired(group)).isEmpty();
    assertThat(found("a").health().downSince()).isEqualTo(now());
    assertThat(alwaysOn.owned(executor)).isEmpty();
    AlwaysOn second = claimed(heir, "a");
    assertThat(second.run().mode()).isEqualTo("AutoStart");
    assertThat(second.run().reason()).isEqualTo("FAILOVER");
    assertThat(second.ownership().epoch()).isEqualTo(2);
    assertThat(alwaysOn.fire(event(first, "late", "late"))).isEqualTo(new FireResult.Lost());
    assertThat(alwaysOn.move(owner(first), first.run().generation(), "late")).isFalse();
    assertThat(alwaysOn.release(List.of(owner(first)), "LATE", null)).isZero();
    assertThat(found("a")).isEqualTo(second);
    assertThat(types("a"))
        .containsExactly(
            EventType.STARTED, EventType.LOST, EventType.STARTED, EventType.SWITCHED_ON);
    assertThat(events("a").get(1).detail()).startsWith("Executor " + executor + " on host died");
  }

  @Test
  void anExecutorThatIsForgottenLosesAll() {
    running("a");
    store.executors().stop(executor);
    long late = register();
    claimed(late, "a");
    expire();
    assertThat(store.executors().recover(late, late, 10, 5)).isEmpty();
    pass(HOUR);

    assertThat(store.retention().deleteExecutors(MINUTE, 10)).isPositive();

    assertThat(store.executors().forgotten(group)).isEmpty();
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

    store.executors().stop(executor);

    assertThat(alwaysOn.load(group)).isEqualTo(Map.of(0L, 2));
    assertThat(store.executors().expired(group)).isEmpty();
    AlwaysOn second = claimed(heir, "a");
    assertThat(second.run().mode()).isEqualTo("AutoStart");
    assertThat(second.run().reason()).isEqualTo("HAND_OVER");
    assertThat(types("a"))
        .containsExactly(
            EventType.STARTED, EventType.GIVEN_BACK, EventType.STARTED, EventType.SWITCHED_ON);
  }

  @ParameterizedTest
  @CsvSource({"RECYCLE, RECYCLE", "ROLLOUT, DEPLOY", "DRAIN, HAND_OVER", "SHUTDOWN, HAND_OVER"})
  void whyAnExecutorStopsIsWhyTheNextRunBegins(StopReason why, String reason) {
    running("a");
    long heir = register();
    store.executors().requestDrain(executor, new DrainRequest(why, null), Deed.by("ann"));

    store.executors().stop(executor);

    assertThat(claimed(heir, "a").run().reason()).isEqualTo(reason);
    assertThat(alwaysOn.events(name("a"), null, 2)).extracting(Event::reason).containsOnly(reason);
  }

  @Test
  void eventsComeInPagesAndTheOldestAreTrimmed() {
    AlwaysOn workflow = running("a");
    register(Desired.ON, "b");
    for (int i = 0; i < 5; i++) {
      alwaysOn.release(List.of(owner(workflow)), "ROUND", null);
      workflow = claimed(executor, "a");
    }

    assertThat(events("a")).hasSize(12);
    assertThat(alwaysOn.events(name("a"), 11L, 3))
        .extracting(event -> event.id())
        .containsExactly(10L, 9L, 8L);
    while (store.retention().trimEvents(4, 100) > 0) {
      // other tests have left events as well
    }
    assertThat(events("a")).extracting(event -> event.id()).containsExactly(12L, 11L, 10L, 9L);
    assertThat(events("b")).hasSize(1);
    assertThat(store.retention().trimEvents(4, 100)).isZero();
  }

  @Test
  void executionsGoOnWhenTheWorkflowIsGivenBack() {
    AlwaysOn first = running("a");
    long execution = fired(first, "1");
    alwaysOn.release(List.of(owner(first)), "DRAIN", null);

    AlwaysOn second = claimed(executor, "a");

    assertThat(second.work().executionId()).isEqualTo(execution);
    assertThat(second.position()).isEqualTo("1");
    assertThat(alwaysOn.settle(executor, List.of())).isEmpty();
    end(execution, InstanceStatus.FINISHED);
    assertThat(alwaysOn.settle(executor, List.of())).hasSize(1);
  }
}
