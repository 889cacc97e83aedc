package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Lease;
import io.millrace.instance.Progress;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.Fence;
import io.millrace.store.InstanceStore.ProgressUpdate;
import io.millrace.store.InstanceStore.StepRecord;
import io.millrace.store.OperatorCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests of the operations of a holder between its transitions: storing steps, reporting progress,
 * and releasing instances.
 */
class LeaseHolderContractTest extends StoreContract {

  LeaseHolderContractTest(StoreFixture subject) {
    super(subject);
  }

  private boolean record(WorkflowInstance held, String name, String result) {
    return record(fence(held), held.position().enteredSeq(), name, result);
  }

  private boolean record(Fence fence, int enteredSeq, String name, String result) {
    return store.instances().recordStep(new StepRecord(fence, enteredSeq, name, result));
  }

  private Map<String, String> stepsOfNextClaim() {
    return claim(executor, 10).claimed().getFirst().data().steps();
  }

  @Test
  void aStepIsThereForTheNextAttempt() {
    WorkflowInstance held = startAndClaim();
    String result = "{\"a\": \"ä😀\\u0000\"}";
    assertThat(record(held, "charge", result)).isTrue();
    assertThat(record(held, "mail", "null")).isTrue();
    saveAccepted(transitionOf(held).retry(Duration.ZERO));

    assertThat(stepsOfNextClaim()).isEqualTo(Map.of("charge", result, "mail", "null"));
  }

  @Test
  void aStepIsThereAfterARecovery() {
    record(startAndClaim(), "charge", "1");
    expireLeases();
    store.executors().recover(executor, register(), 10, 5);

    assertThat(stepsOfNextClaim()).isEqualTo(Map.of("charge", "1"));
  }

  @Test
  void aStepLeavesSeqAndHistoryAlone() {
    WorkflowInstance held = startAndClaim();
    record(held, "charge", "1");

    assertThat(read(held).seq()).isZero();
    assertThat(history(held)).isEmpty();
    assertThat(save(transitionOf(held))).isEqualTo(released(0));
  }

  @Test
  void theVisitThatStoredAStepIsMarked() {
    WorkflowInstance held = startAndClaim();
    record(held, "charge", "1");
    assertThat(read(held).details().stepsSeq()).isZero();

    WorkflowInstance second = saveAccepted(transitionOf(held).keepLease());
    assertThat(second.details().stepsSeq()).isZero();
    record(second, "charge", "2");
    assertThat(read(second).details().stepsSeq()).isEqualTo(1);
  }

  @Test
  void theFirstResultOfAStepStays() {
    WorkflowInstance held = startAndClaim();
    assertThat(record(held, "charge", "1")).isTrue();
    assertThat(record(held, "charge", "2")).isTrue();
    saveAccepted(transitionOf(held).retry(Duration.ZERO));

    assertThat(stepsOfNextClaim()).isEqualTo(Map.of("charge", "1"));
  }

  @Test
  void aStepOfTheSameNameInAnotherVisitIsAnotherStep() {
    WorkflowInstance held = startAndClaim();
    record(held, "charge", "1");
    WorkflowInstance second = saveAccepted(transitionOf(held).to("begin").keepLease());
    assertThat(record(second, "charge", "2")).isTrue();
    saveAccepted(transitionOf(read(second)).retry(Duration.ZERO));

    assertThat(stepsOfNextClaim()).isEqualTo(Map.of("charge", "2"));
  }

  @Test
  void aStepIsFencedLikeASave() {
    WorkflowInstance held = saveAccepted(transitionOf(startAndClaim()).keepLease());
    Fence f = fence(held);

    assertThat(record(new Fence(f.instanceId(), register(), 1, 1), 1, "x", "1")).isFalse();
    assertThat(record(new Fence(f.instanceId(), executor, 2, 1), 1, "x", "1")).isFalse();
    assertThat(record(new Fence(f.instanceId(), executor, 1, 0), 1, "x", "1")).isFalse();
    assertThat(record(new Fence(Long.MAX_VALUE, executor, 1, 1), 1, "x", "1")).isFalse();
    saveAccepted(transitionOf(held).retry(Duration.ZERO));
    assertThat(record(f, 1, "x", "1")).isFalse();
    assertThat(stepsOfNextClaim()).isEmpty();
  }

  @Test
  void aSecondRecordOfAStepIsFencedToo() {
    WorkflowInstance held = startAndClaim();
    record(held, "charge", "1");
    applyAccepted(held, new OperatorCommand.Cancel());

    assertThat(record(held, "charge", "1")).isFalse();
  }

  @Test
  void progressIsShownAtOnce() {
    WorkflowInstance held = startAndClaim();
    Progress progress = new Progress(3_000_000_000L, 4_000_000_000L, "ä😀");
    store.instances().progress(List.of(new ProgressUpdate(fence(held), progress)));

    assertThat(read(held).progress()).isEqualTo(progress);
    assertThat(read(held).seq()).isZero();
    assertThat(history(held)).isEmpty();
  }

  @Test
  void progressOfAPassedLeaseIsDroppedAndItsNeighboursAreNot() {
    WorkflowInstance lost = startAndClaim();
    WorkflowInstance held = startAndClaim();
    store.instances().release(List.of(fence(lost)));
    Progress progress = new Progress(1, 2, null);

    store
        .instances()
        .progress(
            List.of(
                new ProgressUpdate(fence(lost), progress),
                new ProgressUpdate(new Fence(Long.MAX_VALUE, executor, 1, 0), progress),
                new ProgressUpdate(fence(held), progress)));

    assertThat(read(lost).progress()).isNull();
    assertThat(read(held).progress()).isEqualTo(progress);
  }

  @Test
  void theLaterOfTwoReportsInOneCallStays() {
    WorkflowInstance held = startAndClaim();
    store
        .instances()
        .progress(
            List.of(
                new ProgressUpdate(fence(held), new Progress(1, 2, "a")),
                new ProgressUpdate(fence(held), new Progress(2, 2, "b"))));

    assertThat(read(held).progress()).isEqualTo(new Progress(2, 2, "b"));
  }

  @Test
  void reportingNothingIsFine() {
    store.instances().progress(List.of());
    assertThat(store.instances().release(List.of())).isZero();
  }

  @Test
  void aReleasedInstanceIsAsBeforeTheClaim() {
    long id = start(instance());
    WorkflowInstance before = read(id);
    WorkflowInstance held = claimOne();
    advance(SECOND);

    assertThat(store.instances().release(List.of(fence(held)))).isEqualTo(1);

    WorkflowInstance after = read(id);
    assertThat(after.lease()).isEqualTo(new Lease(null, 1, 0, 0, 0));
    assertThat(after.position()).isEqualTo(before.position());
    assertThat(after.status()).isEqualTo(InstanceStatus.CREATED);
    assertThat(history(after)).isEmpty();
    assertThat(claimOne().lease()).isEqualTo(new Lease(executor, 2, 0, 1, 0));
  }

  @Test
  void aReleaseTakesBackOnlyTheLastAttempt() {
    saveAccepted(transitionOf(startAndClaim()).retry(Duration.ZERO));
    WorkflowInstance held = claimOne();
    assertThat(held.lease().attempt()).isEqualTo(2);
    store.instances().release(List.of(fence(held)));

    assertThat(read(held).lease().attempt()).isEqualTo(1);
  }

  @Test
  void attemptsNeverFallBelowZero() {
    WorkflowInstance zero = saveAccepted(transitionOf(startAndClaim()).keepLease().attempt(0));
    store.instances().release(List.of(fence(zero)));

    assertThat(read(zero).lease().attempt()).isZero();
  }

  @Test
  void onlyHeldInstancesAreReleased() {
    List<WorkflowInstance> held = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      held.add(startAndClaim());
    }
    saveAccepted(transitionOf(held.get(2)).due(NEVER));
    applyAccepted(held.get(3), new OperatorCommand.Cancel());
    List<Fence> fences = new ArrayList<>(held.stream().map(StoreContract::fence).toList());
    fences.add(new Fence(Long.MAX_VALUE, executor, 1, 0));
    fences.add(new Fence(held.get(2).id(), executor, 1, 1));

    assertThat(store.instances().release(fences)).isEqualTo(8);

    assertThat(read(held.get(2)).nextActivation()).isNull();
    assertThat(claim(100)).hasSize(8);
  }

  @Test
  void aReleaseDoesNotAskForTheSeqButForTheLease() {
    WorkflowInstance held = saveAccepted(transitionOf(startAndClaim()).keepLease());
    long id = held.id();

    assertThat(
            store
                .instances()
                .release(List.of(new Fence(id, executor, 2, 1), new Fence(id, register(), 1, 1))))
        .isZero();
    assertThat(store.instances().release(List.of(new Fence(id, executor, 1, 0)))).isEqualTo(1);
    assertThat(read(held).seq()).isEqualTo(1);
    assertThat(read(held).lease().executorId()).isNull();
  }

  @Test
  void aReleasedTimerKeepsItsTime() {
    WorkflowInstance held = startAndClaim(instance().due(new Due.After(HOUR)));
    store.instances().release(List.of(fence(held)));

    assertThat(read(held).nextActivation()).isEqualTo(now().plus(HOUR));
  }

  @Test
  void aReleaseAfterARecoveryIsLeftAlone() {
    WorkflowInstance held = startAndClaim();
    expireLeases();
    long other = register();
    store.executors().recover(executor, other, 10, 5);
    claimOne(other);

    assertThat(store.instances().release(List.of(fence(held)))).isZero();
    assertThat(read(held).lease().executorId()).isEqualTo(other);
  }

  @Test
  void theInboxOfNobodyIsEmpty() {
    assertThat(store.instances().unconsumedMessages(Long.MAX_VALUE)).isEmpty();
  }
}
