package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.Due;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Position;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore.CommandResult;
import io.millrace.store.OperatorStore.SignalRequest;
import io.millrace.store.OperatorStore.SignalResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of signals, wake-ups and waits, in every order. */
class WaitContractTest extends StoreContract {

  WaitContractTest(StoreFixture subject) {
    super(subject);
  }

  @Test
  void aWaitWithoutLimitHasNoDueTime() {
    WorkflowInstance waiting = waitingFor(PAID);

    assertThat(waiting.position().waitingFor()).isEqualTo(PAID);
    assertThat(waiting.position().waitUntil()).isNull();
    assertThat(waiting.nextActivation()).isNull();
  }

  @Test
  void aLimitedWaitIsDueAtItsLimit() {
    WorkflowInstance waiting =
        saveAccepted(transitionOf(startAndClaim()).waitFor(PAID, new Due.After(HOUR)));

    assertThat(waiting.position().waitUntil()).isEqualTo(now().plus(HOUR));
    assertThat(waiting.nextActivation()).isEqualTo(now().plus(HOUR));
  }

  @Test
  void aTransitionWithoutAWaitForgetsTheOldOne() {
    saveAccepted(transitionOf(startAndClaim()).waitFor(PAID, new Due.After(SECOND)));
    advance(SECOND);
    WorkflowInstance after = saveAccepted(transitionOf(claimOne()).due(new Due.After(HOUR)));

    assertThat(after.position().waitingFor()).isNull();
    assertThat(after.position().waitUntil()).isNull();
  }

  @Test
  void aSignalWakesTheOneThatWaitsForIt() {
    WorkflowInstance waiting =
        saveAccepted(transitionOf(startAndClaim()).waitFor(PAID, new Due.After(HOUR)));
    advance(SECOND);

    assertThat(signal(waiting, "paid")).isEqualTo(SignalResult.WOKEN);

    assertThat(read(waiting).nextActivation()).isEqualTo(now());
    assertThat(read(waiting).position().waitingFor()).isEqualTo(PAID);
    assertThat(read(waiting).position().waitUntil()).isEqualTo(now().minus(SECOND).plus(HOUR));
    assertThat(claimOne().id()).isEqualTo(waiting.id());
  }

  @Test
  void aSignalIsKeptWithAllThatWasSaid() {
    WorkflowInstance waiting = waitingFor(PAID);
    advance(SECOND);
    store.operators().signal(new SignalRequest(waiting.id(), "paid", "{\"sum\": 1}", "bob", "k"));

    assertThat(unconsumedMessages(waiting))
        .singleElement()
        .satisfies(s -> {
          assertThat(s.instanceId()).isEqualTo(waiting.id());
          assertThat(s.kind()).isEqualTo(InboxMessage.Kind.SIGNAL);
          assertThat(s.name()).isEqualTo("paid");
          assertThat(s.payload()).isEqualTo("{\"sum\": 1}");
          assertThat(s.sent()).isEqualTo(new InboxMessage.Sent(now(), "bob", null));
          assertThat(s.consumedSeq()).isNull();
        });
    assertThat(read(waiting).details().inboxCount()).isEqualTo(1);
  }

  @Test
  void anotherSignalIsQueuedWithoutWaking() {
    WorkflowInstance waiting = waitingFor(PAID);

    assertThat(signal(waiting, "other")).isEqualTo(SignalResult.IN_INBOX);
    assertThat(read(waiting).nextActivation()).isNull();
    assertThat(read(waiting).details().inboxCount()).isEqualTo(1);
  }

  @Test
  void aSignalToOneThatDoesNotWaitIsQueued() {
    WorkflowInstance fresh = read(start(instance().due(new Due.After(HOUR))));

    assertThat(signal(fresh, "paid")).isEqualTo(SignalResult.IN_INBOX);
    assertThat(read(fresh).nextActivation()).isEqualTo(now().plus(HOUR));
  }

  @Test
  void aSignalNeverMatchesTheWaitForChildren() {
    WorkflowInstance parent =
        saveAccepted(
            transitionOf(startAndClaim())
                .child(instance().due(NEVER))
                .waitFor(Position.CHILDREN, NEVER));

    assertThat(signal(parent, "children")).isEqualTo(SignalResult.IN_INBOX);
    assertThat(read(parent).nextActivation()).isNull();
  }

  @Test
  void aSignalToAnExecutingOneIsQueuedAndEndsItsNextWait() {
    WorkflowInstance held = startAndClaim();
    assertThat(signal(held, "paid")).isEqualTo(SignalResult.IN_INBOX);

    WorkflowInstance after = saveAccepted(transitionOf(held).waitFor(PAID, new Due.After(HOUR)));

    assertThat(after.nextActivation()).isEqualTo(now());
    assertThat(after.position().waitUntil()).isEqualTo(now().plus(HOUR));
    assertThat(claimOne().id()).isEqualTo(held.id());
  }

  @Test
  void anEarlierSignalOfAnotherNameDoesNotEndAWait() {
    WorkflowInstance held = startAndClaim();
    signal(held, "other");

    assertThat(saveAccepted(transitionOf(held).waitFor(PAID, NEVER)).nextActivation()).isNull();
  }

  @Test
  void anEarlierSignalDoesNotMakeAnythingElseDue() {
    WorkflowInstance held = startAndClaim();
    signal(held, "paid");

    assertThat(saveAccepted(transitionOf(held).due(new Due.After(HOUR))).nextActivation())
        .isEqualTo(now().plus(HOUR));
  }

  @Test
  void aConsumedSignalDoesNotEndTheNextWait() {
    WorkflowInstance held = startAndClaim();
    signal(held, "paid");

    assertThat(
            saveAccepted(transitionOf(held).consume(unconsumedMessages(held)).waitFor(PAID, NEVER))
                .nextActivation())
        .isNull();
  }

  @Test
  void theSecondOfTwoEqualSignalsEndsTheNextWait() {
    WorkflowInstance held = startAndClaim();
    signal(held, "paid");
    signal(held, "paid");

    WorkflowInstance after =
        saveAccepted(
            transitionOf(held)
                .consume(unconsumedMessages(held).subList(0, 1))
                .waitFor(PAID, NEVER));

    assertThat(after.nextActivation()).isEqualTo(now());
  }

  @Test
  void aSignalToNobodyIsNotFound() {
    assertThat(store.operators().signal(new SignalRequest(Long.MAX_VALUE, "x", null, null, null)))
        .isEqualTo(SignalResult.NOT_FOUND);
  }

  @Test
  void aSignalToAnEndedOneIsRefused() {
    WorkflowInstance ended =
        saveAccepted(transitionOf(startAndClaim()).end(InstanceStatus.FINISHED));

    assertThat(signal(ended, "paid")).isEqualTo(SignalResult.ENDED);
    assertThat(unconsumedMessages(ended)).isEmpty();
    assertThat(read(ended)).isEqualTo(ended);
  }

  @Test
  void aSignalWithAKnownKeyIsDropped() {
    WorkflowInstance waiting = waitingFor(PAID);
    signal(waiting, "paid", "k");

    assertThat(signal(waiting, "paid", "k")).isEqualTo(SignalResult.DUPLICATE);
    assertThat(signal(waiting, "paid", "l")).isEqualTo(SignalResult.WOKEN);
    assertThat(signal(waiting, "paid")).isEqualTo(SignalResult.WOKEN);
    assertThat(signal(waiting, "paid")).isEqualTo(SignalResult.WOKEN);
    assertThat(unconsumedMessages(waiting)).hasSize(4);
  }

  @Test
  void aKeyIsKnownEvenAfterItsSignalWasConsumed() {
    WorkflowInstance held = startAndClaim();
    signal(held, "paid", "k");
    WorkflowInstance after =
        saveAccepted(transitionOf(held).consume(unconsumedMessages(held)).waitFor(PAID, NEVER));

    assertThat(signal(after, "paid", "k")).isEqualTo(SignalResult.DUPLICATE);
    assertThat(read(after)).isEqualTo(after);
  }

  @Test
  void keysOfDifferentInstancesAreDifferent() {
    assertThat(signal(waitingFor(PAID), "paid", "k")).isEqualTo(SignalResult.WOKEN);
    assertThat(signal(waitingFor(PAID), "paid", "k")).isEqualTo(SignalResult.WOKEN);
  }

  @Test
  void aKeyMayHaveTwoHundredCharacters() {
    WorkflowInstance waiting = waitingFor(PAID);
    String key = "ä€x".repeat(66) + "zz";

    assertThat(signal(waiting, "paid", key)).isEqualTo(SignalResult.WOKEN);
    assertThat(signal(waiting, "paid", key)).isEqualTo(SignalResult.DUPLICATE);
  }

  @Test
  void aPausedOneBecomesDueWhenItIsResumed() {
    WorkflowInstance paused = applyAccepted(waitingFor(PAID), new OperatorCommand.Pause());
    signal(paused, "paid");
    assertThat(claim(10)).isEmpty();
    assertThat(read(paused).status()).isEqualTo(InstanceStatus.PAUSED);

    assertThat(apply(paused, new OperatorCommand.Resume()))
        .isInstanceOfSatisfying(CommandResult.Applied.class, a -> assertThat(a.due()).isTrue());
    assertThat(claimOne().id()).isEqualTo(paused.id());
  }

  @Test
  void aWakeOfAnExecutingOneMakesItDueAfterItsStep() {
    WorkflowInstance held = startAndClaim();
    advance(SECOND);

    assertThat(apply(held, new OperatorCommand.Wake())).isEqualTo(new CommandResult.AfterAttempt());
    assertThat(unconsumedMessages(held))
        .singleElement()
        .satisfies(s -> {
          assertThat(s.kind()).isEqualTo(InboxMessage.Kind.WAKE);
          assertThat(s.sent()).isEqualTo(new InboxMessage.Sent(now(), "alice", "because"));
        });
    assertThat(
            saveAccepted(
                    transitionOf(held).due(new Due.After(HOUR)).consume(unconsumedMessages(held)))
                .nextActivation())
        .isEqualTo(now());
  }

  @Test
  void aWakeMakesOneWriteDueAndNotTheNext() {
    WorkflowInstance held = startAndClaim();
    apply(held, new OperatorCommand.Wake());
    saveAccepted(transitionOf(held).due(NEVER));
    WorkflowInstance again = claimOne();

    assertThat(again.position().waitUntil()).isNull();
    assertThat(saveAccepted(transitionOf(again).due(NEVER)).nextActivation()).isNull();
  }

  @Test
  void theDueTimeThatAWakeOverrodeIsKept() {
    WorkflowInstance held = startAndClaim();
    apply(held, new OperatorCommand.Wake());
    WorkflowInstance woken = saveAccepted(transitionOf(held).due(new Due.After(HOUR)));

    assertThat(woken.nextActivation()).isEqualTo(now());
    assertThat(woken.position().waitUntil()).isEqualTo(now().plus(HOUR));
  }

  @Test
  void aPauseAndAResumeKeepTheDueTimeThatAWakeOverrode() {
    WorkflowInstance held = startAndClaim();
    apply(held, new OperatorCommand.Pause());
    WorkflowInstance woken = saveAccepted(transitionOf(held).due(new Due.After(HOUR)));
    apply(woken, new OperatorCommand.Pause());
    apply(woken, new OperatorCommand.Resume());

    assertThat(read(woken).position().waitUntil()).isEqualTo(woken.position().waitUntil());
  }

  @Test
  void aRetryForgetsTheDueTimeThatAWakeOverrode() {
    WorkflowInstance held = startAndClaim();
    apply(held, new OperatorCommand.Wake());
    WorkflowInstance woken = saveAccepted(transitionOf(held).due(new Due.After(HOUR)));
    apply(woken, new OperatorCommand.Retry());

    assertThat(read(woken).position().waitUntil()).isNull();
  }

  @Test
  void aWakeIsNotForgottenWhileTheLeaseIsKept() {
    WorkflowInstance held = startAndClaim();
    apply(held, new OperatorCommand.Wake());
    WorkflowInstance kept =
        saveAccepted(transitionOf(held).keepLease().consume(unconsumedMessages(held)));

    assertThat(saveAccepted(transitionOf(kept).due(NEVER)).nextActivation()).isEqualTo(now());
  }

  @Test
  void aConsumedWakeCountsOnce() {
    WorkflowInstance held = startAndClaim();
    apply(held, new OperatorCommand.Wake());
    saveAccepted(transitionOf(held).due(NEVER).consume(unconsumedMessages(held)));

    assertThat(saveAccepted(transitionOf(claimOne()).due(NEVER)).nextActivation()).isNull();
  }

  @Test
  void aPauseOfAnExecutingOneIsQueuedAndMakesItDue() {
    WorkflowInstance held = startAndClaim();

    assertThat(apply(held, new OperatorCommand.Pause()))
        .isEqualTo(new CommandResult.AfterAttempt());
    assertThat(unconsumedMessages(held))
        .extracting(InboxMessage::kind)
        .containsExactly(InboxMessage.Kind.PAUSE);
    assertThat(read(held).status()).isEqualTo(InstanceStatus.EXECUTING);
    assertThat(history(held)).isEmpty();
    assertThat(saveAccepted(transitionOf(held).due(NEVER)).nextActivation()).isEqualTo(now());
  }

  @Test
  void aReleasedOneIsDueWhenItWasWokenMeanwhile() {
    saveAccepted(transitionOf(startAndClaim()).waitFor(PAID, new Due.After(SECOND)));
    advance(SECOND);
    WorkflowInstance held = claimOne();
    advance(SECOND);
    apply(held, new OperatorCommand.Wake());
    store.instances().release(List.of(fence(held)));

    assertThat(read(held).nextActivation()).isEqualTo(now());
  }
}
