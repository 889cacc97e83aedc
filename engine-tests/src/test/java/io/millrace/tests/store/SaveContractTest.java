package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.fixtures.store.SaveSpec;
import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.Due;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InstanceTimestamps;
import io.millrace.instance.Lease;
import io.millrace.instance.Position;
import io.millrace.instance.Progress;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.InstanceStore;
import io.millrace.store.OperatorCommand;
import io.millrace.store.SaveResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the writes of an accepted transition. */
class SaveContractTest extends StoreContract {

  SaveContractTest(StoreFixture subject) {
    super(subject);
  }

  @Test
  void aTransitionMovesTheInstanceAndGivesItBack() {
    WorkflowInstance held = startAndClaim();
    advance(SECOND);

    assertThat(save(transitionOf(held).to("next").reason("all well").due(new Due.After(HOUR))))
        .isEqualTo(released(0));

    WorkflowInstance after = read(held);
    assertThat(after.position())
        .isEqualTo(
            new Position(
                "next", InstanceStatus.IN_PROGRESS, "all well", 1, now().plus(HOUR), null, null));
    assertThat(after.lease()).isEqualTo(new Lease(null, 1, 1, 0, 0));
    assertThat(after.timing())
        .isEqualTo(new InstanceTimestamps(now().minus(SECOND), now(), now(), null));
  }

  @Test
  void theActionTellsWhoDidWhatAndWhen() {
    WorkflowInstance held = startAndClaim();
    advance(SECOND);
    saveAccepted(transitionOf(held).to("next").reason("all well").error("trace"));

    assertThat(history(held))
        .containsExactly(
            new HistoryEntry(
                held.id(),
                1,
                HistoryEntryType.STATE_EXECUTION,
                new HistoryEntry.Move("begin", "next"),
                new HistoryEntry.Outcome("all well", "trace", null),
                new HistoryEntry.Author(executor, 1, 1, null),
                new HistoryEntry.Span(now().minus(SaveSpec.TOOK), now())));
  }

  @Test
  void aMessageOfAnOperatorIsWrittenUnderTheOperatorsName() {
    WorkflowInstance held = startAndClaim();
    saveAccepted(
        transitionOf(held).by(HistoryEntryType.PAUSE, "alice").status(InstanceStatus.PAUSED));

    assertThat(lastAction(held).type()).isEqualTo(HistoryEntryType.PAUSE);
    assertThat(lastAction(held).author())
        .isEqualTo(new HistoryEntry.Author(executor, 1, 1, "alice"));
  }

  @Test
  void aReasonMayBeMissing() {
    WorkflowInstance after = saveAccepted(transitionOf(startAndClaim()).reason(null));

    assertThat(after.position().reason()).isNull();
    assertThat(lastAction(after).outcome()).isEqualTo(new HistoryEntry.Outcome(null, null, null));
  }

  @Test
  void aRetryStaysInItsVisitOfTheState() {
    WorkflowInstance held = saveAccepted(transitionOf(startAndClaim()).keepLease());
    advance(SECOND);
    WorkflowInstance after = saveAccepted(transitionOf(held).retry(HOUR));

    assertThat(after.state()).isEqualTo("next");
    assertThat(after.position().enteredSeq()).isEqualTo(1);
    assertThat(after.timing().entered()).isEqualTo(now().minus(SECOND));
    assertThat(after.timing().modified()).isEqualTo(now());
    assertThat(after.lease().attempt()).isEqualTo(1);
    assertThat(after.seq()).isEqualTo(2);
  }

  @Test
  void attemptsCountOnOverRetries() {
    saveAccepted(transitionOf(startAndClaim()).retry(Duration.ZERO));
    saveAccepted(transitionOf(claimOne()).retry(Duration.ZERO));

    assertThat(claimOne().lease()).isEqualTo(new Lease(executor, 3, 2, 3, 0));
  }

  @Test
  void aTransitionIntoTheSameStateIsANewVisit() {
    WorkflowInstance after = saveAccepted(transitionOf(startAndClaim()).to("begin"));

    assertThat(after.position().enteredSeq()).isEqualTo(1);
    assertThat(lastAction(after).move()).isEqualTo(new HistoryEntry.Move("begin", "begin"));
  }

  @Test
  void dueTimesAreResolvedByTheStoresClock() {
    assertThat(saveAccepted(transitionOf(startAndClaim()).due(Due.NOW)).nextActivation())
        .isEqualTo(now());
    assertThat(
            saveAccepted(transitionOf(startAndClaim()).due(new Due.After(HOUR))).nextActivation())
        .isEqualTo(now().plus(HOUR));
    assertThat(
            saveAccepted(transitionOf(startAndClaim()).due(new Due.At(now().minus(HOUR))))
                .nextActivation())
        .isEqualTo(now().minus(HOUR));
    assertThat(saveAccepted(transitionOf(startAndClaim()).due(NEVER)).nextActivation()).isNull();
  }

  @Test
  void aKeptLeaseGoesOnUnderTheNextFence() {
    WorkflowInstance held = startAndClaim();
    assertThat(save(transitionOf(held).keepLease())).isEqualTo(kept(0));

    WorkflowInstance after = read(held);
    assertThat(after.lease()).isEqualTo(new Lease(executor, 1, 1, 1, 0));
    assertThat(fence(after)).isEqualTo(fence(held).advanced());
    assertThat(after.nextActivation()).isEqualTo(held.nextActivation());
    assertThat(claim(10)).isEmpty();
    assertThat(save(transitionOf(after))).isEqualTo(released(0));
  }

  @Test
  void aChainOfKeptStepsHasAGaplessHistory() {
    WorkflowInstance held = startAndClaim();
    for (int i = 1; i <= 20; i++) {
      held = saveAccepted(transitionOf(held).to("s" + i).keepLease());
    }

    List<HistoryEntry> history = history(held);
    assertThat(history).extracting(HistoryEntry::seq).containsExactlyElementsOf(upTo(20));
    for (int i = 1; i < history.size(); i++) {
      assertThat(history.get(i).move().from()).isEqualTo(history.get(i - 1).move().to());
    }
  }

  private static List<Integer> upTo(int last) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 1; i <= last; i++) {
      numbers.add(i);
    }
    return numbers;
  }

  @ParameterizedTest
  @EnumSource(names = {"FINISHED", "FAILED", "CANCELLED"})
  void anEndIsFinal(InstanceStatus status) {
    WorkflowInstance held = startAndClaim();
    advance(SECOND);
    assertThat(save(transitionOf(held).to("end").end(status))).isEqualTo(released(0));

    WorkflowInstance after = read(held);
    assertThat(after.status()).isEqualTo(status);
    assertThat(after.timing().ended()).isEqualTo(now());
    assertThat(after.nextActivation()).isNull();
    assertThat(after.lease().executorId()).isNull();
    assertThat(claim(10)).isEmpty();
  }

  @Test
  void anEndedInstanceWaitsForNothing() {
    WorkflowInstance after =
        saveAccepted(
            transitionOf(startAndClaim())
                .waitFor(PAID, new Due.After(HOUR))
                .status(InstanceStatus.FINISHED));

    assertThat(after.position().waitingFor()).isNull();
    assertThat(after.position().waitUntil()).isNull();
    assertThat(after.nextActivation()).isNull();
  }

  @Test
  void anEndIsNotWokenByWhatCameMeanwhile() {
    WorkflowInstance held = startAndClaim();
    apply(held, new OperatorCommand.Wake());

    assertThat(saveAccepted(transitionOf(held).end(InstanceStatus.FINISHED)).nextActivation())
        .isNull();
  }

  @Test
  void variablesAreSetChangedAndRemoved() {
    WorkflowInstance held =
        startAndClaim(instance().variable("a", "1").variable("b", "2").variable("c", "3"));
    WorkflowInstance after =
        saveAccepted(
            transitionOf(held)
                .set("b", "20")
                .set("d", "[4]")
                .remove("c")
                .remove("never")
                .variableCount(3));

    assertThat(store.queries().variables(held.id()))
        .isEqualTo(Map.of("a", "1", "b", "20", "d", "[4]"));
    assertThat(after.details().variableCount()).isEqualTo(3);
  }

  @Test
  void theActionHoldsTheChangedVariablesAsJsonByName() {
    WorkflowInstance held = startAndClaim(instance().variable("c", "3"));
    saveAccepted(
        transitionOf(held).set("z", "{\"y\": 1}").set("b", "\"x\"").remove("c").set("a", "null"));

    assertThat(lastAction(held).outcome().variables())
        .isEqualTo("{\"a\":null,\"b\":\"x\",\"c\":null,\"z\":{\"y\": 1}}");
  }

  @Test
  void namesOfVariablesAreQuotedInTheAction() {
    WorkflowInstance held = startAndClaim();
    saveAccepted(transitionOf(held).set("a\"b\\c\nd", "1").set("ä😀", "2").variableCount(2));

    assertThat(lastAction(held).outcome().variables())
        .isEqualTo("{\"a\\\"b\\\\c\\nd\":1,\"ä😀\":2}");
    assertThat(store.queries().variables(held.id()))
        .isEqualTo(Map.of("a\"b\\c\nd", "1", "ä😀", "2"));
  }

  @Test
  void largeVariablesAreKept() {
    String large = "\"" + "€".repeat(300_000) + "\"";
    WorkflowInstance held = startAndClaim();
    saveAccepted(transitionOf(held).set("v", large).variableCount(1));

    assertThat(store.queries().variables(held.id())).containsEntry("v", large);
  }

  @Test
  void consumedMessagesAreMarkedWithTheAction() {
    WorkflowInstance held = saveAccepted(transitionOf(startAndClaim()).keepLease());
    signal(held, "a");
    signal(held, "b");
    signal(held, "c");
    List<InboxMessage> inboxMessages = unconsumedMessages(held);

    assertThat(
            save(transitionOf(held).consume(List.of(inboxMessages.get(0), inboxMessages.get(2)))))
        .isEqualTo(released(1));

    assertThat(unconsumedMessages(held)).containsExactly(inboxMessages.get(1));
    assertThat(read(held).details().inboxCount()).isEqualTo(1);
    assertThat(store.queries().inboxMessages(held.id(), 10))
        .extracting(InboxMessage::name, InboxMessage::consumedSeq)
        .containsExactly(tuple("c", 2), tuple("b", null), tuple("a", 2));
    assertThat(history(held))
        .extracting(entry -> entry.outcome().consumed())
        .containsExactly(List.of(), List.of("a", "c"));
  }

  @Test
  void theOldestSignalOfANameIsFoundUntilItIsConsumed() {
    WorkflowInstance held = startAndClaim();
    assertThat(store.instances().oldestSignal(held.id(), "a")).isEmpty();
    signal(held, "b");
    signal(held, "a");
    signal(held, "a");
    apply(held, new OperatorCommand.Wake());
    List<InboxMessage> inboxMessages = unconsumedMessages(held);
    assertThat(store.instances().oldestSignal(held.id(), "a")).contains(inboxMessages.get(1));
    assertThat(store.instances().oldestSignal(held.id(), "wake")).isEmpty();

    saveAccepted(transitionOf(held).consume(List.of(inboxMessages.get(1))).keepLease());
    assertThat(store.instances().oldestSignal(held.id(), "a")).contains(inboxMessages.get(2));
  }

  @Test
  void theAnswerTellsHowManyMessagesWait() {
    WorkflowInstance held = startAndClaim();
    signal(held, "a");
    signal(held, "b");

    assertThat(save(transitionOf(held).keepLease())).isEqualTo(kept(2));
  }

  @Test
  void progressIsReplacedOnlyWhenGiven() {
    Progress half = new Progress(5, 10, "half");
    WorkflowInstance held = saveAccepted(transitionOf(startAndClaim()).progress(half).keepLease());
    assertThat(held.progress()).isEqualTo(half);

    WorkflowInstance after = saveAccepted(transitionOf(held).keepLease());
    assertThat(after.progress()).isEqualTo(half);

    Progress unknown = new Progress(7, 0, null);
    assertThat(saveAccepted(transitionOf(after).progress(unknown)).progress()).isEqualTo(unknown);
  }

  @Test
  void anAcceptedTransitionForgetsEarlierDeaths() {
    WorkflowInstance held = startAndClaim();
    expireLeases();
    long other = register();
    store.executors().recover(executor, other, 10, 5);
    WorkflowInstance again = claimOne(other);
    assertThat(again.lease().recoveries()).isEqualTo(1);

    assertThat(saveAccepted(transitionOf(again).retry(HOUR)).lease().recoveries()).isZero();
    assertThat(history(held)).extracting(HistoryEntry::type).contains(HistoryEntryType.RECOVERY);
  }

  @Test
  void aStoredStepForgetsEarlierDeaths() {
    startAndClaim();
    expireLeases();
    long other = register();
    store.executors().recover(executor, other, 10, 5);
    WorkflowInstance again = claimOne(other);
    assertThat(again.lease().recoveries()).isEqualTo(1);

    assertThat(
            store
                .instances()
                .recordStep(
                    new InstanceStore.StepRecord(fence(again), again.lease().seq(), "chunk", "1")))
        .isTrue();
    assertThat(read(again.id()).lease().recoveries()).isZero();
  }

  @Test
  void savingNothingIsFine() {
    assertThat(store.instances().save(List.of())).isEmpty();
  }

  @Test
  void aBatchAnswersInTheOrderOfItsRequests() {
    List<WorkflowInstance> held = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      held.add(startAndClaim());
      for (int k = 0; k < i % 5; k++) {
        signal(held.get(i), "s");
      }
    }

    List<SaveResult> results =
        store.instances().save(held.stream().map(h -> transitionOf(h).build()).toList());

    for (int i = 0; i < 50; i++) {
      assertThat(results.get(i)).isEqualTo(released(i % 5));
    }
  }

  @Test
  void aBatchOfAllKindsOfTransitionsWritesEachAsAlone() {
    WorkflowInstance kept = startAndClaim();
    WorkflowInstance ended = startAndClaim(instance().variable("v", "1"));
    WorkflowInstance waiting = startAndClaim();
    WorkflowInstance retried = startAndClaim();
    advance(SECOND);

    List<SaveResult> results =
        store
            .instances()
            .save(
                List.of(
                    transitionOf(kept).keepLease().set("a", "1").variableCount(1).build(),
                    transitionOf(ended)
                        .end(InstanceStatus.FAILED)
                        .error("trace")
                        .remove("v")
                        .variableCount(0)
                        .build(),
                    transitionOf(waiting)
                        .waitFor(PAID, new Due.After(HOUR))
                        .progress(new Progress(1, 2, "x"))
                        .build(),
                    transitionOf(retried).retry(HOUR).build()));

    assertThat(results).containsExactly(kept(0), released(0), released(0), released(0));
    assertThat(read(kept).lease()).isEqualTo(new Lease(executor, 1, 1, 1, 0));
    assertThat(store.queries().variables(kept.id())).isEqualTo(Map.of("a", "1"));
    assertThat(read(ended).timing().ended()).isEqualTo(now());
    assertThat(lastAction(ended).outcome())
        .isEqualTo(new HistoryEntry.Outcome("went on", "trace", "{\"v\":null}"));
    assertThat(store.queries().variables(ended.id())).isEmpty();
    assertThat(read(waiting).position().waitUntil()).isEqualTo(now().plus(HOUR));
    assertThat(read(waiting).progress()).isEqualTo(new Progress(1, 2, "x"));
    assertThat(read(retried).position().enteredSeq()).isZero();
  }
}
