package io.millrace.tests.continuous.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodClaimResult;
import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodId;
import io.millrace.data.PeriodState;
import io.millrace.fixtures.store.ContinuousStoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.store.ClaimRequest;
import io.millrace.store.ContinuousStore.EndedExecution;
import io.millrace.store.ContinuousStore.FirePeriod;
import io.millrace.store.ContinuousStore.FireResult;
import io.millrace.store.ContinuousStore.LogEntryType;
import io.millrace.store.ContinuousStore.MissedPeriod;
import io.millrace.store.ContinuousStore.OfferResult;
import io.millrace.store.ContinuousStore.OfferedEvent;
import io.millrace.store.ContinuousStore.Owner;
import io.millrace.store.ContinuousStore.TriggerFire;
import io.millrace.store.ContinuousStore.TriggerMiss;
import io.millrace.store.OperatorCommand;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.store.StoredContinuousWorkflow.OwnerRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the writes of continuous workflows' triggers: events, positions, continuations. */
class TriggerContractTest extends ContinuousStoreContract {

  private static final String MAX_LENGTH = "p".repeat(100_000);
  private static final int MANY = 1_000;

  TriggerContractTest(StoreFixture subject) {
    super(subject);
  }

  @Test
  void anEventStartsAnExecution() {
    StoredContinuousWorkflow workflow = running("a");
    advance(SECOND);

    FireResult result = continuous.fire(event(workflow, "1", "first"));

    long execution = ((FireResult.Started) result).executionId();
    assertThat(result).isEqualTo(new FireResult.Started(execution, now()));
    assertThat(read(execution).type()).isEqualTo(type);
    StoredContinuousWorkflow after = found("a");
    assertThat(after.position()).isEqualTo("first");
    assertThat(after.activity())
        .isEqualTo(new StoredContinuousWorkflow.Activity(0, 1, now(), null, null, execution));
  }

  @Test
  void aRepeatedEventIsKnown() {
    StoredContinuousWorkflow workflow = running("a");
    long execution = fire(workflow, "1");

    assertThat(continuous.fire(event(workflow, "1", "1")))
        .isEqualTo(new FireResult.Duplicate(execution));
    end(execution, InstanceStatus.FINISHED);
    continuous.acknowledgeEnded(executor, List.of());
    assertThat(continuous.fire(event(workflow, "1", "2")))
        .isEqualTo(new FireResult.Duplicate(execution));

    StoredContinuousWorkflow after = found("a");
    assertThat(after.position()).isEqualTo("2");
    assertThat(after.activity().fires()).isEqualTo(1);
    assertThat(after.activity().executionId()).isEqualTo(execution);
    assertThat(continuous.acknowledgeEnded(executor, List.of()))
        .containsExactly(new EndedExecution(name("a"), execution, InstanceStatus.FINISHED));
  }

  private PeriodId period(String key) {
    return new PeriodId("trigger:" + name("a"), key);
  }

  private TriggerFire once(StoredContinuousWorkflow workflow, String key, PeriodId... missed) {
    TriggerFire event = event(workflow, key, key);
    return new TriggerFire(
        event.owner(),
        event.generation(),
        event.position(),
        event.execution(),
        null,
        new FirePeriod(period(key), List.of(missed)));
  }

  private PeriodEntry entry(String key) {
    return store.role(PeriodLedgerStore.class).find(period(key)).orElseThrow();
  }

  @Test
  void theEventOfAPeriodIsInTheLedger() {
    StoredContinuousWorkflow workflow = running("a");

    FireResult result = continuous.fire(once(workflow, "d3", period("d1"), period("d2")));

    long execution = ((FireResult.Started) result).executionId();
    assertThat(entry("d3").state()).isEqualTo(PeriodState.RUNNING);
    assertThat(entry("d3").hold().executionId()).isEqualTo(execution);
    assertThat(entry("d1").state()).isEqualTo(PeriodState.MISSED);
    assertThat(entry("d2").reason()).contains("no node could fire");
    assertThat(continuous.fire(once(workflow, "d3")))
        .isEqualTo(new FireResult.Duplicate(execution));
    end(execution, InstanceStatus.FINISHED);
    store.role(PeriodLedgerStore.class).closeEnded(1_000);
    assertThat(entry("d3").state()).isEqualTo(PeriodState.SUCCEEDED);
  }

  @Test
  void missedPeriodsAreInTheLedgerAndThePositionIsBehindThem() {
    StoredContinuousWorkflow workflow = running("a");
    store
        .role(PeriodLedgerStore.class)
        .claim(PeriodClaimRequest.atMostOnce(period("d1"), "ann", Duration.ofHours(1)), null);

    assertThat(continuous.recordMissed(missed(workflow, "3", "d3", "d1", "d2")))
        .hasValueSatisfying(
            all -> assertThat(all).containsExactlyInAnyOrder(period("d2"), period("d3")));

    assertThat(entry("d1").state()).isEqualTo(PeriodState.CLAIMED);
    assertThat(entry("d2").state()).isEqualTo(PeriodState.MISSED);
    assertThat(entry("d2").reason()).isEqualTo("d2 was late");
    assertThat(entry("d3").reason()).isEqualTo("d3 was late");
    assertThat(found("a").position()).isEqualTo("3");
    assertThat(continuous.recordMissed(missed(workflow, null, "d3"))).contains(List.of());
    assertThat(found("a").position()).isEqualTo("3");
  }

  @Test
  void aFormerOwnerRecordsNoMissedPeriod() {
    StoredContinuousWorkflow workflow = running("a");
    Owner former = owner(workflow);
    continuous.release(List.of(former), "HAND_OVER", null);
    StoredContinuousWorkflow next = claimed(executor, "a");

    assertThat(continuous.recordMissed(missed(workflow, "1", "d1"))).isEmpty();
    assertThat(continuous.recordMissed(new TriggerMiss(owner(next), 77, "1", List.of()))).isEmpty();
    assertThat(store.role(PeriodLedgerStore.class).find(period("d1"))).isEmpty();
    assertThat(found("a").position()).isNull();
    assertThat(continuous.recordMissed(missed(next, "1", "d1"))).contains(List.of(period("d1")));
  }

  private TriggerMiss missed(StoredContinuousWorkflow workflow, String position, String... keys) {
    return new TriggerMiss(
        owner(workflow),
        workflow.run().generation(),
        position,
        Arrays.stream(keys).map(key -> new MissedPeriod(period(key), key + " was late")).toList());
  }

  @Test
  void aPeriodThatWasDoneByHandIsPassedOver() {
    StoredContinuousWorkflow workflow = running("a");
    PeriodClaimRequest byHand =
        PeriodClaimRequest.atMostOnce(period("d1"), "ann", Duration.ofHours(1));
    PeriodEntry claimed =
        ((PeriodClaimResult.Claimed) store.role(PeriodLedgerStore.class).claim(byHand, null))
            .entry();
    store
        .role(PeriodLedgerStore.class)
        .close(
            new PeriodLedgerStore.CloseRequest(
                period("d1"), claimed.hold().token(), PeriodState.Operation.COMPLETE, "by hand"),
            null);

    FireResult result = continuous.fire(once(workflow, "d1"));

    assertThat(result).isEqualTo(new FireResult.PeriodClosed(entry("d1")));
    assertThat(entry("d1").state()).isEqualTo(PeriodState.SUCCEEDED);
    assertThat(found("a").position()).isEqualTo("d1");
    assertThat(found("a").activity()).isEqualTo(workflow.activity());
    assertThat(claim(100)).isEmpty();
    assertThat(continuous.fire(once(workflow, "d2"))).isInstanceOf(FireResult.Started.class);
  }

  @Test
  void aPeriodThatIsHeldIsNeitherBegunNorPassedOver() {
    StoredContinuousWorkflow workflow = running("a");
    PeriodClaimRequest byHand =
        PeriodClaimRequest.atMostOnce(period("d1"), "ann", Duration.ofHours(1));
    PeriodEntry claimed =
        ((PeriodClaimResult.Claimed) store.role(PeriodLedgerStore.class).claim(byHand, null))
            .entry();

    assertThat(continuous.fire(once(workflow, "d1")))
        .isEqualTo(new FireResult.PeriodHeld(entry("d1")));
    assertThat(found("a")).isEqualTo(workflow);
    assertThat(claim(100)).isEmpty();

    store
        .role(PeriodLedgerStore.class)
        .close(
            new PeriodLedgerStore.CloseRequest(
                period("d1"), claimed.hold().token(), PeriodState.Operation.RELEASE, "not now"),
            null);
    assertThat(continuous.fire(once(workflow, "d1"))).isInstanceOf(FireResult.Started.class);
  }

  @Test
  void nothingIsFiredWhileAnExecutionGoesOn() {
    StoredContinuousWorkflow workflow = running("a");
    fire(workflow, "1");
    StoredContinuousWorkflow before = found("a");

    assertThat(continuous.fire(event(workflow, "2", "2"))).isEqualTo(new FireResult.NotOwner());

    assertThat(found("a")).isEqualTo(before);
    assertThat(
            store
                .instances()
                .claim(new ClaimRequest(executor, group, List.of(definition), 10))
                .claimed())
        .hasSize(1);
  }

  @Test
  void nothingIsFiredForAnotherOwnerOrGeneration() {
    StoredContinuousWorkflow workflow = running("a");
    Owner owner = owner(workflow);
    for (TriggerFire wrong :
        List.of(
            with(new Owner(owner.name(), owner.executorId(), owner.epoch() + 1), 1),
            with(new Owner(owner.name(), owner.executorId() + 1, owner.epoch()), 1),
            with(new Owner(name("none"), owner.executorId(), owner.epoch()), 1),
            with(owner, 2))) {
      assertThat(continuous.fire(wrong)).isEqualTo(new FireResult.NotOwner());
      assertThat(continuous.updatePosition(wrong.owner(), wrong.generation(), "wrong")).isFalse();
    }
    assertThat(found("a")).isEqualTo(workflow);
  }

  private TriggerFire with(Owner owner, long generation) {
    return new TriggerFire(owner, generation, "wrong", instance().build(), null);
  }

  @Test
  void longPositionsAreKeptAndLongerOnesRefused() {
    StoredContinuousWorkflow workflow = running("a");
    Owner owner = owner(workflow);

    assertThat(continuous.updatePosition(owner, 1, MAX_LENGTH)).isTrue();
    assertThat(found("a").position()).isEqualTo(MAX_LENGTH);
    assertThatThrownBy(() -> continuous.updatePosition(owner, 1, MAX_LENGTH + "p"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "The position of continuous workflow '"
                + name("a")
                + "' has 100001 characters; expected at most 100000.");
    assertThatThrownBy(() -> continuous.fire(event(workflow, "1", "a\0")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(
            "has a NUL at character 1; expected text without NUL or half of a surrogate pair.");
    assertThat(continuous.fire(event(workflow, "1", null))).isInstanceOf(FireResult.Started.class);
    assertThat(found("a").position()).isEqualTo(MAX_LENGTH);
    assertThat(continuous.updatePosition(owner, 1, null)).isTrue();
    assertThat(found("a").position()).isNull();
  }

  @Test
  void endedExecutionsAreAcknowledged() {
    for (InstanceStatus status : List.of(InstanceStatus.FINISHED, InstanceStatus.FAILED)) {
      StoredContinuousWorkflow workflow = running(status.code());
      long execution = fire(workflow, "1");
      assertThat(continuous.acknowledgeEnded(executor, List.of())).isEmpty();
      end(execution, status);
      advance(SECOND);

      assertThat(continuous.acknowledgeEnded(executor, List.of()))
          .containsExactly(new EndedExecution(workflow.name(), execution, status));

      StoredContinuousWorkflow after = found(status.code());
      assertThat(after.activity().iterations()).isEqualTo(1);
      assertThat(after.activity().lastEnd()).isEqualTo(now());
      assertThat(after.activity().lastResult()).isEqualTo(status);
      assertThat(after.activity().executionId()).isNull();
      assertThat(continuous.acknowledgeEnded(executor, List.of())).isEmpty();
    }
  }

  @Test
  void cancelledParkedAndLostExecutionsAreAcknowledged() {
    long cancelled = fire(running("cancelled"), "1");
    long parked = fire(running("parked"), "1");
    long gone = fire(running("gone"), "1");
    apply(read(cancelled), new OperatorCommand.Cancel());
    store.instances().claim(new ClaimRequest(executor, group, List.of(definition), 10));
    saveAccepted(transitionOf(read(parked)).to("look").status(InstanceStatus.MANUAL).due(NEVER));
    saveAccepted(transitionOf(read(gone)).end(InstanceStatus.FINISHED));
    advance(HOUR);
    while (store.retention().archive(MINUTE, 100) > 0) {
      // until it is in the archive
    }

    assertThat(continuous.acknowledgeEnded(executor, List.of(name("gone"), name("parked"))))
        .containsExactlyInAnyOrder(
            new EndedExecution(name("parked"), parked, InstanceStatus.MANUAL),
            new EndedExecution(name("gone"), gone, null));
    assertThat(found("gone").activity().lastResult()).isNull();
    assertThat(found("gone").activity().iterations()).isEqualTo(1);
    assertThat(found("cancelled").activity().executionId()).isEqualTo(cancelled);
    assertThat(continuous.acknowledgeEnded(executor, List.of())).hasSize(1);
    assertThat(continuous.acknowledgeEnded(register(), List.of())).isEmpty();
  }

  @Test
  void aPausedExecutionIsWaitedFor() {
    long execution = fire(running("a"), "1");
    apply(read(execution), new OperatorCommand.Pause());

    assertThat(continuous.acknowledgeEnded(executor, List.of())).isEmpty();
  }

  @Test
  void theNextGenerationBeginsWhenAllConditionsHold() {
    StoredContinuousWorkflow workflow = running("a");
    iterate(workflow, "1");
    advance(HOUR);

    List<StoredContinuousWorkflow> continued =
        continuous.continueAsNew(executor, List.of(), HOUR, "HOURLY");

    assertThat(continued).containsExactly(found("a"));
    StoredContinuousWorkflow after = continued.getFirst();
    assertThat(after.run())
        .isEqualTo(
            new StoredContinuousWorkflow.Run(
                1, 2, workflow.run().seriesStarted(), now(), "AutoStart (Continuation)", "HOURLY"));
    assertThat(after.ownership()).isEqualTo(workflow.ownership());
    assertThat(after.position()).isEqualTo("1");
    assertThat(after.activity().iterations()).isZero();
    assertThat(after.activity().fires()).isEqualTo(1);
    assertThat(types("a"))
        .containsExactly(LogEntryType.CONTINUED, LogEntryType.STARTED, LogEntryType.ENABLED);
    assertThat(log("a").getFirst().reason()).isEqualTo("HOURLY");
    assertThat(continuous.continueAsNew(executor, List.of(), Duration.ZERO, "HOURLY")).isEmpty();
    assertThat(continuous.fire(event(workflow, "late", "late")))
        .isEqualTo(new FireResult.NotOwner());
    iterate(after, "2");
  }

  @Test
  void anEventThatIsRepeatedInALaterRunDoesNotCountForThatRun() {
    long execution = fire(running("a"), "1");
    end(execution, InstanceStatus.FINISHED);
    assertThat(continuous.acknowledgeEnded(executor, List.of())).hasSize(1);
    advance(HOUR);
    StoredContinuousWorkflow later =
        continuous.continueAsNew(executor, List.of(), HOUR, "HOURLY").getFirst();

    assertThat(continuous.fire(event(later, "1", "1")))
        .isEqualTo(new FireResult.Duplicate(execution));
    assertThat(continuous.acknowledgeEnded(executor, List.of()))
        .containsExactly(new EndedExecution(name("a"), execution, InstanceStatus.FINISHED));

    StoredContinuousWorkflow.Activity activity = found("a").activity();
    assertThat(activity.iterations()).isZero();
    assertThat(activity.executionId()).isNull();
    assertThat(activity.lastResult()).isEqualTo(InstanceStatus.FINISHED);
    advance(HOUR);
    renew(executor);
    assertThat(continuous.continueAsNew(executor, List.of(), HOUR, "HOURLY")).isEmpty();

    iterate(later, "2");
    assertThat(found("a").activity().iterations()).isEqualTo(1);
    assertThat(continuous.continueAsNew(executor, List.of(), HOUR, "HOURLY")).hasSize(1);
  }

  @Test
  void anExecutionThatEndedWhenTheRunBeganCountsForTheRun() {
    StoredContinuousWorkflow workflow = running("a");
    iterate(workflow, "1");
    StoredContinuousWorkflow later =
        continuous.continueAsNew(executor, List.of(), Duration.ZERO, "NOW").getFirst();

    assertThat(continuous.fire(event(later, "1", "1"))).isInstanceOf(FireResult.Duplicate.class);
    assertThat(continuous.acknowledgeEnded(executor, List.of())).hasSize(1);

    assertThat(found("a").activity().iterations()).isEqualTo(1);
  }

  @Test
  void eachConditionAloneKeepsTheGeneration() {
    StoredContinuousWorkflow debugged = running("debugged");
    iterate(debugged, "1");
    running("without iteration");
    StoredContinuousWorkflow working = running("working");
    iterate(working, "1");
    StoredContinuousWorkflow off = running("off");
    iterate(off, "1");
    iterate(running("ripe"), "1");
    continuous.setEnabled(name("off"), false, BY_ALICE);
    advance(HOUR);
    renew(executor);
    iterate(running("young"), "1");
    fire(working, "2");
    continuous.debug(name("debugged"), HOUR, BY_ALICE);
    advance(SECOND);

    assertThat(continuous.continueAsNew(executor, List.of(), HOUR, "HOURLY"))
        .extracting(StoredContinuousWorkflow::name)
        .containsExactly(name("ripe"));

    advance(HOUR);
    assertThat(
            continuous.continueAsNew(
                executor, List.of(name("debugged"), name("working")), HOUR, "HOURLY"))
        .extracting(StoredContinuousWorkflow::name)
        .containsExactly(name("debugged"));
  }

  @Test
  void aContinuationThatWasAskedForIsDoneWith() {
    StoredContinuousWorkflow workflow = running("a");
    iterate(workflow, "1");
    continuous.request(name("a"), OwnerRequest.CONTINUE, null, BY_ALICE);

    List<StoredContinuousWorkflow> continued =
        continuous.continueAsNew(executor, List.of(name("a")), Duration.ZERO, "MANUAL");

    assertThat(continued).hasSize(1);
    assertThat(continued.getFirst().requested().request()).isNull();
    assertThat(continuous.continueAsNew(executor, List.of(name("none")), Duration.ZERO, "MANUAL"))
        .isEmpty();
  }

  @Test
  void anOfferWaitsForTheTrigger() {
    StoredContinuousWorkflow workflow = running("a");

    assertThat(continuous.offer(name("a"), "k1", "{\"n\":1}", MANY)).isEqualTo(OfferResult.KEPT);
    assertThat(continuous.offer(name("a"), "k1", "{\"n\":2}", MANY)).isEqualTo(OfferResult.KNOWN);
    assertThat(continuous.offer(name("a"), "k2", "{\"n\":3}", MANY)).isEqualTo(OfferResult.KEPT);
    assertThat(continuous.offer(name("none"), "k1", "{}", MANY)).isEqualTo(OfferResult.UNKNOWN);

    StoredContinuousWorkflow changed = continuous.changed(executor).getFirst();
    assertThat(changed.requested().revision()).isEqualTo(workflow.requested().revision() + 2);
    List<OfferedEvent> offers = continuous.offeredEvents(name("a"), 10);
    assertThat(offers).extracting(OfferedEvent::key).containsExactly("k1", "k2");
    assertThat(offers.getFirst().payload()).isEqualTo("{\"n\":1}");
    assertThat(offers.getFirst().at()).isEqualTo(now());
    assertThat(continuous.offeredEvents(name("a"), 1)).hasSize(1);
    TriggerFire fire = event(workflow, "k1", null);
    assertThat(
            continuous.fire(
                new TriggerFire(fire.owner(), 1, null, fire.execution(), offers.getFirst().id())))
        .isInstanceOf(FireResult.Started.class);
    assertThat(continuous.offeredEvents(name("a"), 10))
        .extracting(OfferedEvent::key)
        .containsExactly("k2");
    assertThat(continuous.offer(name("a"), "k1", "{}", MANY)).isEqualTo(OfferResult.KEPT);
  }

  @Test
  void noMoreOffersWaitThanMay() {
    StoredContinuousWorkflow workflow = running("a");
    running("b");
    for (int i = 1; i <= 3; i++) {
      assertThat(continuous.offer(name("a"), "k" + i, "{}", 3)).isEqualTo(OfferResult.KEPT);
    }
    int revision = continuous.find(name("a")).orElseThrow().requested().revision();

    assertThat(continuous.offer(name("a"), "k4", "{}", 3)).isEqualTo(OfferResult.FULL);
    assertThat(continuous.offer(name("a"), "k2", "{}", 3)).isEqualTo(OfferResult.KNOWN);
    assertThat(continuous.offer(name("b"), "k4", "{}", 3)).isEqualTo(OfferResult.KEPT);

    assertThat(continuous.offeredEvents(name("a"), 10))
        .extracting(OfferedEvent::key)
        .doesNotContain("k4");
    assertThat(continuous.find(name("a")).orElseThrow().requested().revision()).isEqualTo(revision);
    long first = continuous.offeredEvents(name("a"), 1).getFirst().id();
    TriggerFire fire = event(workflow, "k1", null);
    continuous.fire(new TriggerFire(fire.owner(), 1, null, fire.execution(), first));
    assertThat(continuous.offer(name("a"), "k4", "{}", 3)).isEqualTo(OfferResult.KEPT);
  }

  @Test
  void anOfferIsKeptWhileNobodyOwnsTheWorkflow() {
    registerDisabled("a");
    String key = "'\"%_ 漢".repeat(33) + "12";
    assertThat(key).hasSize(200);

    assertThat(continuous.offer(name("a"), key, "{}", MANY)).isEqualTo(OfferResult.KEPT);

    assertThat(continuous.offeredEvents(name("a"), 10))
        .extracting(OfferedEvent::key)
        .containsExactly(key);
    for (String bad : List.of("", "x".repeat(201), "\0", "a\uDE00")) {
      assertThatThrownBy(() -> continuous.offer(name("a"), bad, "{}", MANY))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("The key of an event");
    }
    assertThatThrownBy(() -> continuous.offer(name("a"), "k", "\0", MANY))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("The payload of an event");
    assertThat(continuous.remove(name("a"))).isTrue();
    registerDisabled("a");
    assertThat(continuous.offeredEvents(name("a"), 10)).isEmpty();
  }
}
