package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.data.Fire;
import io.millrace.data.FireClaim;
import io.millrace.data.FireId;
import io.millrace.data.FireRequest;
import io.millrace.data.FireState;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.store.AlwaysOn;
import io.millrace.store.AlwaysOn.Desired;
import io.millrace.store.AlwaysOn.Request;
import io.millrace.store.AlwaysOnStore.EventType;
import io.millrace.store.AlwaysOnStore.FirePeriod;
import io.millrace.store.AlwaysOnStore.FireResult;
import io.millrace.store.AlwaysOnStore.MissedPeriod;
import io.millrace.store.AlwaysOnStore.Offer;
import io.millrace.store.AlwaysOnStore.OfferResult;
import io.millrace.store.AlwaysOnStore.Owner;
import io.millrace.store.AlwaysOnStore.Settled;
import io.millrace.store.AlwaysOnStore.TriggerFire;
import io.millrace.store.AlwaysOnStore.TriggerMiss;
import io.millrace.store.ClaimRequest;
import io.millrace.store.DeedCommand;
import io.millrace.store.FireStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What triggers of continuous workflows write: events, positions, continuations. */
class TriggerContractTest extends AlwaysOnContract {

  private static final String LONGEST = "p".repeat(100_000);
  private static final int MANY = 1_000;

  TriggerContractTest(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void anEventStartsAnExecution() {
    AlwaysOn workflow = running("a");
    pass(SECOND);

    FireResult result = alwaysOn.fire(event(workflow, "1", "first"));

    long execution = ((FireResult.Started) result).executionId();
    assertThat(result).isEqualTo(new FireResult.Started(execution, now()));
    assertThat(read(execution).type()).isEqualTo(type);
    AlwaysOn after = found("a");
    assertThat(after.position()).isEqualTo("first");
    assertThat(after.work()).isEqualTo(new AlwaysOn.Work(0, 1, now(), null, null, execution));
  }

  @Test
  void aRepeatedEventIsKnown() {
    AlwaysOn workflow = running("a");
    long execution = fired(workflow, "1");

    assertThat(alwaysOn.fire(event(workflow, "1", "1"))).isEqualTo(new FireResult.Known(execution));
    end(execution, InstanceStatus.FINISHED);
    alwaysOn.settle(executor, List.of());
    assertThat(alwaysOn.fire(event(workflow, "1", "2"))).isEqualTo(new FireResult.Known(execution));

    AlwaysOn after = found("a");
    assertThat(after.position()).isEqualTo("2");
    assertThat(after.work().fires()).isEqualTo(1);
    assertThat(after.work().executionId()).isEqualTo(execution);
    assertThat(alwaysOn.settle(executor, List.of()))
        .containsExactly(new Settled(name("a"), execution, InstanceStatus.FINISHED));
  }

  private FireId period(String key) {
    return new FireId("trigger:" + name("a"), key);
  }

  private TriggerFire once(AlwaysOn workflow, String key, FireId... missed) {
    TriggerFire event = event(workflow, key, key);
    return new TriggerFire(
        event.owner(),
        event.generation(),
        event.position(),
        event.execution(),
        null,
        new FirePeriod(period(key), List.of(missed)));
  }

  private Fire entry(String key) {
    return store.fires().find(period(key)).orElseThrow();
  }

  @Test
  void theEventOfAPeriodIsInTheLedger() {
    AlwaysOn workflow = running("a");

    FireResult result = alwaysOn.fire(once(workflow, "d3", period("d1"), period("d2")));

    long execution = ((FireResult.Started) result).executionId();
    assertThat(entry("d3").state()).isEqualTo(FireState.RUNNING);
    assertThat(entry("d3").hold().executionId()).isEqualTo(execution);
    assertThat(entry("d1").state()).isEqualTo(FireState.MISSED);
    assertThat(entry("d2").reason()).contains("no node could fire");
    assertThat(alwaysOn.fire(once(workflow, "d3"))).isEqualTo(new FireResult.Known(execution));
    end(execution, InstanceStatus.FINISHED);
    store.fires().settle(1_000);
    assertThat(entry("d3").state()).isEqualTo(FireState.SUCCEEDED);
  }

  @Test
  void missedPeriodsAreInTheLedgerAndThePositionIsBehindThem() {
    AlwaysOn workflow = running("a");
    store.fires().claim(FireRequest.atMostOnce(period("d1"), "ann", Duration.ofHours(1)), null);

    assertThat(alwaysOn.miss(missed(workflow, "3", "d3", "d1", "d2")))
        .hasValueSatisfying(
            all -> assertThat(all).containsExactlyInAnyOrder(period("d2"), period("d3")));

    assertThat(entry("d1").state()).isEqualTo(FireState.CLAIMED);
    assertThat(entry("d2").state()).isEqualTo(FireState.MISSED);
    assertThat(entry("d2").reason()).isEqualTo("d2 was late");
    assertThat(entry("d3").reason()).isEqualTo("d3 was late");
    assertThat(found("a").position()).isEqualTo("3");
    assertThat(alwaysOn.miss(missed(workflow, null, "d3"))).contains(List.of());
    assertThat(found("a").position()).isEqualTo("3");
  }

  @Test
  void aFormerOwnerRecordsNoMissedPeriod() {
    AlwaysOn workflow = running("a");
    Owner former = owner(workflow);
    alwaysOn.release(List.of(former), "HAND_OVER", null);
    AlwaysOn next = claimed(executor, "a");

    assertThat(alwaysOn.miss(missed(workflow, "1", "d1"))).isEmpty();
    assertThat(alwaysOn.miss(new TriggerMiss(owner(next), 77, "1", List.of()))).isEmpty();
    assertThat(store.fires().find(period("d1"))).isEmpty();
    assertThat(found("a").position()).isNull();
    assertThat(alwaysOn.miss(missed(next, "1", "d1"))).contains(List.of(period("d1")));
  }

  private TriggerMiss missed(AlwaysOn workflow, String position, String... keys) {
    return new TriggerMiss(
        owner(workflow),
        workflow.run().generation(),
        position,
        Arrays.stream(keys).map(key -> new MissedPeriod(period(key), key + " was late")).toList());
  }

  @Test
  void aPeriodThatWasDoneByHandIsPassedOver() {
    AlwaysOn workflow = running("a");
    FireRequest byHand = FireRequest.atMostOnce(period("d1"), "ann", Duration.ofHours(1));
    Fire claimed = ((FireClaim.Claimed) store.fires().claim(byHand, null)).fire();
    store
        .fires()
        .end(
            new FireStore.End(
                period("d1"), claimed.hold().token(), FireState.Deed.COMPLETE, "by hand"),
            null);

    FireResult result = alwaysOn.fire(once(workflow, "d1"));

    assertThat(result).isEqualTo(new FireResult.Passed(entry("d1")));
    assertThat(entry("d1").state()).isEqualTo(FireState.SUCCEEDED);
    assertThat(found("a").position()).isEqualTo("d1");
    assertThat(found("a").work()).isEqualTo(workflow.work());
    assertThat(claim(100)).isEmpty();
    assertThat(alwaysOn.fire(once(workflow, "d2"))).isInstanceOf(FireResult.Started.class);
  }

  @Test
  void aPeriodThatIsHeldIsNeitherBegunNorPassedOver() {
    AlwaysOn workflow = running("a");
    FireRequest byHand = FireRequest.atMostOnce(period("d1"), "ann", Duration.ofHours(1));
    Fire claimed = ((FireClaim.Claimed) store.fires().claim(byHand, null)).fire();

    assertThat(alwaysOn.fire(once(workflow, "d1"))).isEqualTo(new FireResult.Held(entry("d1")));
    assertThat(found("a")).isEqualTo(workflow);
    assertThat(claim(100)).isEmpty();

    store
        .fires()
        .end(
            new FireStore.End(
                period("d1"), claimed.hold().token(), FireState.Deed.RELEASE, "not now"),
            null);
    assertThat(alwaysOn.fire(once(workflow, "d1"))).isInstanceOf(FireResult.Started.class);
  }

  @Test
  void nothingIsFiredWhileAnExecutionGoesOn() {
    AlwaysOn workflow = running("a");
    fired(workflow, "1");
    AlwaysOn before = found("a");

    assertThat(alwaysOn.fire(event(workflow, "2", "2"))).isEqualTo(new FireResult.Lost());

    assertThat(found("a")).isEqualTo(before);
    assertThat(
            store
                .work()
                .claim(new ClaimRequest(executor, group, List.of(definition), 10))
                .claimed())
        .hasSize(1);
  }

  @Test
  void nothingIsFiredForAnotherOwnerOrGeneration() {
    AlwaysOn workflow = running("a");
    Owner owner = owner(workflow);
    for (TriggerFire wrong :
        List.of(
            with(new Owner(owner.name(), owner.executorId(), owner.epoch() + 1), 1),
            with(new Owner(owner.name(), owner.executorId() + 1, owner.epoch()), 1),
            with(new Owner(name("none"), owner.executorId(), owner.epoch()), 1),
            with(owner, 2))) {
      assertThat(alwaysOn.fire(wrong)).isEqualTo(new FireResult.Lost());
      assertThat(alwaysOn.move(wrong.owner(), wrong.generation(), "wrong")).isFalse();
    }
    assertThat(found("a")).isEqualTo(workflow);
  }

  private TriggerFire with(Owner owner, long generation) {
    return new TriggerFire(owner, generation, "wrong", instance().build(), null);
  }

  @Test
  void longPositionsAreKeptAndLongerOnesRefused() {
    AlwaysOn workflow = running("a");
    Owner owner = owner(workflow);

    assertThat(alwaysOn.move(owner, 1, LONGEST)).isTrue();
    assertThat(found("a").position()).isEqualTo(LONGEST);
    assertThatThrownBy(() -> alwaysOn.move(owner, 1, LONGEST + "p"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "The position of continuous workflow '"
                + name("a")
                + "' has 100001 characters; expected at most 100000.");
    assertThatThrownBy(() -> alwaysOn.fire(event(workflow, "1", "a\0")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("has a NUL at character 1; expected text without NUL.");
    assertThat(alwaysOn.fire(event(workflow, "1", null))).isInstanceOf(FireResult.Started.class);
    assertThat(found("a").position()).isEqualTo(LONGEST);
    assertThat(alwaysOn.move(owner, 1, null)).isTrue();
    assertThat(found("a").position()).isNull();
  }

  @Test
  void endedExecutionsAreSettled() {
    for (InstanceStatus status : List.of(InstanceStatus.FINISHED, InstanceStatus.FAILED)) {
      AlwaysOn workflow = running(status.code());
      long execution = fired(workflow, "1");
      assertThat(alwaysOn.settle(executor, List.of())).isEmpty();
      end(execution, status);
      pass(SECOND);

      assertThat(alwaysOn.settle(executor, List.of()))
          .containsExactly(new Settled(workflow.name(), execution, status));

      AlwaysOn after = found(status.code());
      assertThat(after.work().iterations()).isEqualTo(1);
      assertThat(after.work().lastEnd()).isEqualTo(now());
      assertThat(after.work().lastResult()).isEqualTo(status);
      assertThat(after.work().executionId()).isNull();
      assertThat(alwaysOn.settle(executor, List.of())).isEmpty();
    }
  }

  @Test
  void cancelledParkedAndLostExecutionsAreSettled() {
    long cancelled = fired(running("cancelled"), "1");
    long parked = fired(running("parked"), "1");
    long gone = fired(running("gone"), "1");
    apply(read(cancelled), new DeedCommand.Cancel());
    store.work().claim(new ClaimRequest(executor, group, List.of(definition), 10));
    saved(move(read(parked)).to("look").status(InstanceStatus.MANUAL).due(NEVER));
    saved(move(read(gone)).end(InstanceStatus.FINISHED));
    pass(HOUR);
    while (store.retention().archive(MINUTE, 100) > 0) {
      // until it is in the archive
    }

    assertThat(alwaysOn.settle(executor, List.of(name("gone"), name("parked"))))
        .containsExactlyInAnyOrder(
            new Settled(name("parked"), parked, InstanceStatus.MANUAL),
            new Settled(name("gone"), gone, null));
    assertThat(found("gone").work().lastResult()).isNull();
    assertThat(found("gone").work().iterations()).isEqualTo(1);
    assertThat(found("cancelled").work().executionId()).isEqualTo(cancelled);
    assertThat(alwaysOn.settle(executor, List.of())).hasSize(1);
    assertThat(alwaysOn.settle(register(), List.of())).isEmpty();
  }

  @Test
  void aPausedExecutionIsWaitedFor() {
    long execution = fired(running("a"), "1");
    apply(read(execution), new DeedCommand.Pause());

    assertThat(alwaysOn.settle(executor, List.of())).isEmpty();
  }

  @Test
  void theNextGenerationBeginsWhenAllConditionsHold() {
    AlwaysOn workflow = running("a");
    iterate(workflow, "1");
    pass(HOUR);

    List<AlwaysOn> continued = alwaysOn.continueAsNew(executor, List.of(), HOUR, "HOURLY");

    assertThat(continued).containsExactly(found("a"));
    AlwaysOn after = continued.getFirst();
    assertThat(after.run())
        .isEqualTo(
            new AlwaysOn.Run(
                1, 2, workflow.run().chainStarted(), now(), "AutoStart (Continuation)", "HOURLY"));
    assertThat(after.ownership()).isEqualTo(workflow.ownership());
    assertThat(after.position()).isEqualTo("1");
    assertThat(after.work().iterations()).isZero();
    assertThat(after.work().fires()).isEqualTo(1);
    assertThat(types("a"))
        .containsExactly(EventType.CONTINUED, EventType.STARTED, EventType.SWITCHED_ON);
    assertThat(events("a").getFirst().reason()).isEqualTo("HOURLY");
    assertThat(alwaysOn.continueAsNew(executor, List.of(), Duration.ZERO, "HOURLY")).isEmpty();
    assertThat(alwaysOn.fire(event(workflow, "late", "late"))).isEqualTo(new FireResult.Lost());
    iterate(after, "2");
  }

  @Test
  void anEventThatIsRepeatedInALaterRunDoesNotCountForThatRun() {
    long execution = fired(running("a"), "1");
    end(execution, InstanceStatus.FINISHED);
    assertThat(alwaysOn.settle(executor, List.of())).hasSize(1);
    pass(HOUR);
    AlwaysOn later = alwaysOn.continueAsNew(executor, List.of(), HOUR, "HOURLY").getFirst();

    assertThat(alwaysOn.fire(event(later, "1", "1"))).isEqualTo(new FireResult.Known(execution));
    assertThat(alwaysOn.settle(executor, List.of()))
        .containsExactly(new Settled(name("a"), execution, InstanceStatus.FINISHED));

    AlwaysOn.Work work = found("a").work();
    assertThat(work.iterations()).isZero();
    assertThat(work.executionId()).isNull();
    assertThat(work.lastResult()).isEqualTo(InstanceStatus.FINISHED);
    pass(HOUR);
    renew(executor);
    assertThat(alwaysOn.continueAsNew(executor, List.of(), HOUR, "HOURLY")).isEmpty();

    iterate(later, "2");
    assertThat(found("a").work().iterations()).isEqualTo(1);
    assertThat(alwaysOn.continueAsNew(executor, List.of(), HOUR, "HOURLY")).hasSize(1);
  }

  @Test
  void anExecutionThatEndedWhenTheRunBeganCountsForTheRun() {
    AlwaysOn workflow = running("a");
    iterate(workflow, "1");
    AlwaysOn later = alwaysOn.continueAsNew(executor, List.of(), Duration.ZERO, "NOW").getFirst();

    assertThat(alwaysOn.fire(event(later, "1", "1"))).isInstanceOf(FireResult.Known.class);
    assertThat(alwaysOn.settle(executor, List.of())).hasSize(1);

    assertThat(found("a").work().iterations()).isEqualTo(1);
  }

  @Test
  void eachConditionAloneKeepsTheGeneration() {
    AlwaysOn debugged = running("debugged");
    iterate(debugged, "1");
    running("without iteration");
    AlwaysOn working = running("working");
    iterate(working, "1");
    AlwaysOn off = running("off");
    iterate(off, "1");
    iterate(running("ripe"), "1");
    alwaysOn.desire(name("off"), Desired.OFF, DEED);
    pass(HOUR);
    renew(executor);
    iterate(running("young"), "1");
    fired(working, "2");
    alwaysOn.debug(name("debugged"), HOUR, DEED);
    pass(SECOND);

    assertThat(alwaysOn.continueAsNew(executor, List.of(), HOUR, "HOURLY"))
        .extracting(AlwaysOn::name)
        .containsExactly(name("ripe"));

    pass(HOUR);
    assertThat(
            alwaysOn.continueAsNew(
                executor, List.of(name("debugged"), name("working")), HOUR, "HOURLY"))
        .extracting(AlwaysOn::name)
        .containsExactly(name("debugged"));
  }

  @Test
  void aContinuationThatWasAskedForIsDoneWith() {
    AlwaysOn workflow = running("a");
    iterate(workflow, "1");
    alwaysOn.ask(name("a"), Request.CONTINUE, null, DEED);

    List<AlwaysOn> continued =
        alwaysOn.continueAsNew(executor, List.of(name("a")), Duration.ZERO, "MANUAL");

    assertThat(continued).hasSize(1);
    assertThat(continued.getFirst().wish().request()).isNull();
    assertThat(alwaysOn.continueAsNew(executor, List.of(name("none")), Duration.ZERO, "MANUAL"))
        .isEmpty();
  }

  @Test
  void anOfferWaitsForTheTrigger() {
    AlwaysOn workflow = running("a");

    assertThat(alwaysOn.offer(name("a"), "k1", "{\"n\":1}", MANY)).isEqualTo(OfferResult.KEPT);
    assertThat(alwaysOn.offer(name("a"), "k1", "{\"n\":2}", MANY)).isEqualTo(OfferResult.KNOWN);
    assertThat(alwaysOn.offer(name("a"), "k2", "{\"n\":3}", MANY)).isEqualTo(OfferResult.KEPT);
    assertThat(alwaysOn.offer(name("none"), "k1", "{}", MANY)).isEqualTo(OfferResult.UNKNOWN);

    AlwaysOn changed = alwaysOn.changed(executor).getFirst();
    assertThat(changed.wish().revision()).isEqualTo(workflow.wish().revision() + 2);
    List<Offer> offers = alwaysOn.offers(name("a"), 10);
    assertThat(offers).extracting(Offer::key).containsExactly("k1", "k2");
    assertThat(offers.getFirst().payload()).isEqualTo("{\"n\":1}");
    assertThat(offers.getFirst().at()).isEqualTo(now());
    assertThat(alwaysOn.offers(name("a"), 1)).hasSize(1);
    TriggerFire fire = event(workflow, "k1", null);
    assertThat(
            alwaysOn.fire(
                new TriggerFire(fire.owner(), 1, null, fire.execution(), offers.getFirst().id())))
        .isInstanceOf(FireResult.Started.class);
    assertThat(alwaysOn.offers(name("a"), 10)).extracting(Offer::key).containsExactly("k2");
    assertThat(alwaysOn.offer(name("a"), "k1", "{}", MANY)).isEqualTo(OfferResult.KEPT);
  }

  @Test
  void noMoreOffersWaitThanMay() {
    AlwaysOn workflow = running("a");
    running("b");
    for (int i = 1; i <= 3; i++) {
      assertThat(alwaysOn.offer(name("a"), "k" + i, "{}", 3)).isEqualTo(OfferResult.KEPT);
    }
    int revision = alwaysOn.find(name("a")).orElseThrow().wish().revision();

    assertThat(alwaysOn.offer(name("a"), "k4", "{}", 3)).isEqualTo(OfferResult.FULL);
    assertThat(alwaysOn.offer(name("a"), "k2", "{}", 3)).isEqualTo(OfferResult.KNOWN);
    assertThat(alwaysOn.offer(name("b"), "k4", "{}", 3)).isEqualTo(OfferResult.KEPT);

    assertThat(alwaysOn.offers(name("a"), 10)).extracting(Offer::key).doesNotContain("k4");
    assertThat(alwaysOn.find(name("a")).orElseThrow().wish().revision()).isEqualTo(revision);
    long first = alwaysOn.offers(name("a"), 1).getFirst().id();
    TriggerFire fire = event(workflow, "k1", null);
    alwaysOn.fire(new TriggerFire(fire.owner(), 1, null, fire.execution(), first));
    assertThat(alwaysOn.offer(name("a"), "k4", "{}", 3)).isEqualTo(OfferResult.KEPT);
  }

  @Test
  void anOfferIsKeptWhileNobodyOwnsTheWorkflow() {
    register(Desired.OFF, "a");
    String key = "'\"%_ 漢".repeat(33) + "12";
    assertThat(key).hasSize(200);

    assertThat(alwaysOn.offer(name("a"), key, "{}", MANY)).isEqualTo(OfferResult.KEPT);

    assertThat(alwaysOn.offers(name("a"), 10)).extracting(Offer::key).containsExactly(key);
    for (String bad : List.of("", "x".repeat(201), "\0")) {
      assertThatThrownBy(() -> alwaysOn.offer(name("a"), bad, "{}", MANY))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("The key of an event");
    }
    assertThatThrownBy(() -> alwaysOn.offer(name("a"), "k", "\0", MANY))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("The payload of an event");
    assertThat(alwaysOn.remove(name("a"))).isTrue();
    register(Desired.OFF, "a");
    assertThat(alwaysOn.offers(name("a"), 10)).isEmpty();
  }
}
