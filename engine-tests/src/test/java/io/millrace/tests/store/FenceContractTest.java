package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Progress;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.Fence;
import io.millrace.store.OperatorCommand;
import io.millrace.store.SaveRequest;
import io.millrace.store.SaveResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the right to write, and of the answers to repeated writes. */
class FenceContractTest extends StoreContract {

  private static final SaveResult FENCED = new SaveResult.Fenced();

  FenceContractTest(StoreFixture subject) {
    super(subject);
  }

  /** Asserts that a save is rejected and leaves everything unchanged. */
  private void assertFenced(SaveRequest saveRequest) {
    long id = saveRequest.fence().instanceId();
    WorkflowInstance before = read(id);
    var historyBefore = history(before);
    var variablesBefore = store.queries().variables(id);
    var signalsBefore = store.queries().inboxMessages(id, 100);

    assertThat(save(saveRequest)).isEqualTo(FENCED);

    assertThat(read(id)).isEqualTo(before);
    assertThat(history(before)).isEqualTo(historyBefore);
    assertThat(store.queries().variables(id)).isEqualTo(variablesBefore);
    assertThat(store.queries().inboxMessages(id, 100)).isEqualTo(signalsBefore);
  }

  private Fence other(Fence fence, long executorId, int leaseVersion, int seq) {
    return new Fence(fence.instanceId(), executorId, leaseVersion, seq);
  }

  @Test
  void everyPartOfTheFenceCounts() {
    WorkflowInstance held = saveAccepted(transitionOf(startAndClaim()).keepLease());
    Fence fence = fence(held);

    assertFenced(transitionOf(held).fence(other(fence, register(), 1, 1)).build());
    assertFenced(transitionOf(held).fence(other(fence, executor, 2, 1)).build());
    assertFenced(transitionOf(held).fence(other(fence, executor, 1, 2)).build());
    assertThat(save(transitionOf(held))).isEqualTo(released(0));
  }

  @Test
  void anUnknownInstanceIsFenced() {
    SaveRequest saveRequest =
        transitionOf(startAndClaim()).fence(new Fence(Long.MAX_VALUE, executor, 1, 0)).build();

    assertThat(save(saveRequest)).isEqualTo(FENCED);
  }

  @Test
  void aFencedSaveWritesNothingOfAllItCarries() {
    WorkflowInstance held = startAndClaim(instance().variable("v", "1"));
    signal(held, "a");
    List<InboxMessage> inboxMessages = unconsumedMessages(held);
    assertThat(store.instances().release(List.of(fence(held)))).isEqualTo(1);

    assertFenced(
        transitionOf(held)
            .set("v", "2")
            .child(instance().externalId("child"))
            .consume(inboxMessages)
            .progress(new Progress(1, 1, "x"))
            .end(InstanceStatus.FINISHED)
            .build());
    assertThat(store.queries().findByExternalId(type, group, "child")).isEmpty();
  }

  @Test
  void aZombieIsFencedAfterAnotherTookOver() {
    WorkflowInstance zombie = startAndClaim();
    expireLeases();
    long other = register();
    store.executors().recover(executor, other, 10, 5);
    assertFenced(transitionOf(zombie).build());

    claimOne(other);
    assertFenced(transitionOf(zombie).build());
  }

  @Test
  void aZombieOfTheSameExecutorIsFencedAfterItClaimedAgain() {
    WorkflowInstance zombie = startAndClaim();
    assertThat(store.instances().release(List.of(fence(zombie)))).isEqualTo(1);
    WorkflowInstance again = claimOne();
    assertThat(again.lease().executorId()).isEqualTo(zombie.lease().executorId());
    assertThat(again.seq()).isEqualTo(zombie.seq());

    assertFenced(transitionOf(zombie).build());
    assertThat(save(transitionOf(again))).isEqualTo(released(0));
  }

  @Test
  void aZombieIsFencedThoughTheNextLeaseHasWrittenTheSameStep() {
    WorkflowInstance zombie = startAndClaim();
    store.instances().release(List.of(fence(zombie)));
    saveAccepted(transitionOf(claimOne()).to("elsewhere"));

    assertFenced(transitionOf(zombie).build());
    assertThat(read(zombie).state()).isEqualTo("elsewhere");
  }

  @Test
  void aZombieIsFencedByACancel() {
    WorkflowInstance zombie = startAndClaim();
    applyAccepted(zombie, new OperatorCommand.Cancel());

    assertFenced(transitionOf(zombie).build());
  }

  @Test
  void aRepeatedWriteAfterALostReplyIsToldThatItWasSaved() {
    SaveRequest saveRequest = transitionOf(startAndClaim()).build();
    assertThat(save(saveRequest)).isEqualTo(released(0));

    assertThat(save(saveRequest)).isEqualTo(released(0));
    assertThat(store.queries().history(saveRequest.fence().instanceId(), 0, 10)).hasSize(1);
  }

  @Test
  void anotherWriteUnderTheSameFenceIsNotTakenForTheFirst() {
    WorkflowInstance held = startAndClaim();
    saveAccepted(transitionOf(held).keepLease());

    assertFenced(transitionOf(held).to("elsewhere").keepLease().build());
    assertFenced(
        transitionOf(held).by(HistoryEntryType.STATE_EXECUTION_FAILED, null).keepLease().build());
    assertThat(read(held).state()).isEqualTo("next");
  }

  @Test
  void aRepeatedWriteThatKeptItsLeaseIsToldSo() {
    WorkflowInstance held = startAndClaim();
    SaveRequest saveRequest = transitionOf(held).keepLease().set("v", "1").variableCount(1).build();
    save(saveRequest);
    signal(held, "a");

    assertThat(save(saveRequest)).isEqualTo(kept(1));
    assertThat(history(held)).hasSize(1);
    assertThat(save(transitionOf(read(held)))).isEqualTo(released(1));
  }

  @Test
  void aRepeatedWriteStartsNoSecondChild() {
    WorkflowInstance held = startAndClaim();
    SaveRequest saveRequest = transitionOf(held).child(instance()).keepLease().build();
    save(saveRequest);
    save(saveRequest);

    assertThat(read(held).children().total()).isEqualTo(1);
    assertThat(claim(10)).hasSize(1);
  }

  @Test
  void aRepeatedWriteAfterARecoveryIsSavedButNotHeld() {
    SaveRequest saveRequest = transitionOf(startAndClaim()).keepLease().build();
    save(saveRequest);
    expireLeases();
    store.executors().recover(executor, register(), 10, 5);

    assertThat(save(saveRequest)).isEqualTo(released(0));
  }

  @Test
  void aRepeatedWriteAfterARecoveryAndAnotherClaimIsSavedButNotHeld() {
    SaveRequest saveRequest = transitionOf(startAndClaim()).keepLease().build();
    save(saveRequest);
    expireLeases();
    long other = register();
    store.executors().recover(executor, other, 10, 5);
    claimOne(other);

    assertThat(save(saveRequest)).isEqualTo(released(0));
  }

  @Test
  void aRepeatedWriteAfterAnotherClaimOfItsOwnIsSavedButNotHeld() {
    SaveRequest saveRequest = transitionOf(startAndClaim()).build();
    save(saveRequest);
    claimOne();

    assertThat(save(saveRequest)).isEqualTo(released(0));
  }

  @Test
  void aRepeatedWriteAfterALaterStepIsSavedButItsFenceIsPast() {
    WorkflowInstance held = startAndClaim();
    SaveRequest first = transitionOf(held).keepLease().build();
    save(first);
    saveAccepted(transitionOf(read(held)).keepLease());

    assertThat(save(first)).isEqualTo(released(0));
  }

  @Test
  void aRepeatedLastWriteIsToldThatItWasSaved() {
    SaveRequest saveRequest = transitionOf(startAndClaim()).end(InstanceStatus.FINISHED).build();
    save(saveRequest);

    assertThat(save(saveRequest)).isEqualTo(released(0));
  }

  @Test
  void anOperatorsActionAtTheNextSeqIsNotTheWritersOwn() {
    WorkflowInstance held = startAndClaim();
    store.instances().release(List.of(fence(held)));
    applyAccepted(held, new OperatorCommand.Pause());

    assertThat(read(held).seq()).isEqualTo(held.seq() + 1);
    assertFenced(transitionOf(held).build());
  }

  @Test
  void anExecutorThatRecoveredItselfDoesNotTakeTheRecoveryForItsWrite() {
    WorkflowInstance held = startAndClaim();
    expireLeases();
    assertThat(store.executors().recover(executor, executor, 10, 5)).hasSize(1);

    assertFenced(transitionOf(held).build());
  }

  @Test
  void oneFencedSaveDoesNotStopItsNeighbours() {
    List<WorkflowInstance> held = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      held.add(startAndClaim());
    }
    WorkflowInstance lost = held.get(17);
    applyAccepted(lost, new OperatorCommand.Cancel());
    List<SaveRequest> saves =
        held.stream()
            .map(h ->
                transitionOf(h).set("v", "1").variableCount(1).child(instance().due(NEVER)).build())
            .toList();

    List<SaveResult> results = store.instances().save(saves);

    for (int i = 0; i < 40; i++) {
      assertThat(results.get(i)).isEqualTo(i == 17 ? FENCED : released(0));
      assertThat(read(held.get(i)).state()).isEqualTo(i == 17 ? "begin" : "next");
      assertThat(store.queries().variables(held.get(i).id())).hasSize(i == 17 ? 0 : 1);
      assertThat(read(held.get(i)).children().total()).isEqualTo(i == 17 ? 0 : 1);
    }
  }

  @Test
  void aRepeatedSaveInABatchDoesNotStopItsNeighbours() {
    WorkflowInstance repeated = startAndClaim();
    SaveRequest first = transitionOf(repeated).keepLease().build();
    save(first);
    WorkflowInstance other = startAndClaim();

    assertThat(store.instances().save(List.of(transitionOf(other).build(), first)))
        .containsExactly(released(0), kept(0));
    assertThat(history(repeated)).hasSize(1);
    assertThat(read(other).seq()).isEqualTo(1);
  }

  @Test
  void leaseVersionsNeverFall() {
    WorkflowInstance held = startAndClaim();
    int version = held.lease().leaseVersion();
    for (int i = 0; i < 5; i++) {
      saveAccepted(transitionOf(held).retry(Duration.ZERO));
      held = claimOne();
      assertThat(held.lease().leaseVersion()).isGreaterThan(version);
      version = held.lease().leaseVersion();
      store.instances().release(List.of(fence(held)));
      assertThat(read(held).lease().leaseVersion()).isEqualTo(version);
      held = claimOne();
    }
  }
}
