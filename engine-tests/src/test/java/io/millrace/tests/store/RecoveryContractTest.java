package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.Due;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Lease;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ExecutorStore.Recovered;
import io.millrace.store.OperatorCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the recovery of instances from dead executors. */
class RecoveryContractTest extends StoreContract {

  private static final int MAX = 3;

  private long rescuer;

  RecoveryContractTest(StoreFixture subject) {
    super(subject);
  }

  @BeforeEach
  void registerRescuer() {
    rescuer = register();
  }

  private List<Recovered> recover(int limit) {
    return recover(executor, limit);
  }

  private List<Recovered> recover(long dead, int limit) {
    return store.executors().recover(dead, rescuer, limit, MAX);
  }

  private ExecutorInfo info(long id) {
    return store.executors().list(group).stream()
        .filter(e -> e.id() == id)
        .findFirst()
        .orElseThrow();
  }

  /** Expires the lease of {@code holder} and has its instance recovered. */
  private Recovered die(long holder) {
    expireLeases();
    store.executors().renew(rescuer, TTL, ExecutorInfo.Load.NONE);
    List<Recovered> recovered = recover(holder, 10);
    assertThat(recovered).hasSize(1);
    return recovered.getFirst();
  }

  @Test
  void aRecoveredInstanceIsClaimableAgain() {
    WorkflowInstance held = startAndClaim();
    expireLeases();

    assertThat(recover(10)).containsExactly(new Recovered(held.id(), false));

    WorkflowInstance after = read(held);
    assertThat(after.lease()).isEqualTo(new Lease(null, 1, 1, 1, 1));
    assertThat(after.status()).isEqualTo(InstanceStatus.CREATED);
    assertThat(after.nextActivation()).isEqualTo(now());
    assertThat(after.position().enteredSeq()).isZero();
    assertThat(claimOne(rescuer).lease()).isEqualTo(new Lease(rescuer, 2, 1, 2, 1));
  }

  @Test
  void whatAForgottenExecutorClaimedIsRecoveredToo() {
    expireLeases();
    recover(10);
    advance(Duration.ofDays(8));
    store.executors().renew(rescuer, TTL, ExecutorInfo.Load.NONE);
    store.retention().deleteExecutors(Duration.ofDays(7), 1000);
    WorkflowInstance held = startAndClaim();

    assertThat(store.executors().renew(executor, TTL, ExecutorInfo.Load.NONE).found()).isFalse();
    assertThat(store.executors().recoveredOwners(group)).containsExactly(executor);
    assertThat(recover(10)).containsExactly(new Recovered(held.id(), false));
    assertThat(read(held).lease().executorId()).isNull();
    assertThat(store.executors().recoveredOwners(group)).isEmpty();
  }

  @Test
  void theRecoveryIsInTheHistory() {
    WorkflowInstance held = saveAccepted(transitionOf(startAndClaim()).keepLease());
    expireLeases();
    recover(10);

    HistoryEntry historyEntry = lastAction(held);
    assertThat(historyEntry.seq()).isEqualTo(2);
    assertThat(historyEntry.type()).isEqualTo(HistoryEntryType.RECOVERY);
    assertThat(historyEntry.move()).isEqualTo(new HistoryEntry.Move("next", "next"));
    assertThat(historyEntry.author()).isEqualTo(new HistoryEntry.Author(rescuer, 1, 0, null));
    assertThat(historyEntry.span()).isEqualTo(new HistoryEntry.Span(now(), now()));
    assertThat(historyEntry.outcome().reason()).contains(Long.toString(executor));
    assertThat(historyEntry.outcome().error()).isNull();
    assertThat(historyEntry.outcome().variables()).isNull();
  }

  @Test
  void nothingIsTakenWhileTheLeaseRuns() {
    WorkflowInstance held = startAndClaim();
    advance(TTL);

    assertThat(recover(10)).isEmpty();
    assertThat(read(held)).isEqualTo(held);
  }

  @Test
  void nothingIsTakenAfterALateRenewal() {
    WorkflowInstance held = startAndClaim();
    expireLeases();
    store.executors().renew(executor, TTL, ExecutorInfo.Load.NONE);

    assertThat(recover(10)).isEmpty();
    assertThat(read(held)).isEqualTo(held);
    assertThat(info(executor).recovered()).isNull();
  }

  @Test
  void nobodyHasNothingToTake() {
    assertThat(recover(Long.MAX_VALUE, 10)).isEmpty();
  }

  @Test
  void anEmptyHandedExecutorIsMarkedRecovered() {
    expireLeases();
    assertThat(recover(10)).isEmpty();

    assertThat(info(executor).recovered()).isEqualTo(now());
    assertThat(store.executors().expired(group)).doesNotContain(executor);
  }

  @Test
  void recoveryGoesByPages() {
    for (int i = 0; i < 7; i++) {
      startAndClaim();
    }
    expireLeases();
    assertThat(recover(3)).hasSize(3);
    assertThat(info(executor).recovered()).isNull();
    assertThat(store.executors().expired(group)).contains(executor);
    assertThat(recover(3)).hasSize(3);
    assertThat(recover(3)).hasSize(1);

    assertThat(info(executor).recovered()).isEqualTo(now());
    assertThat(recover(3)).isEmpty();
    assertThat(claim(10)).hasSize(7);
  }

  @Test
  void aSecondRecoveryTakesNothing() {
    WorkflowInstance held = startAndClaim();
    expireLeases();
    recover(10);
    WorkflowInstance after = read(held);

    assertThat(recover(10)).isEmpty();
    assertThat(read(held)).isEqualTo(after);
  }

  @Test
  void whatOthersHoldIsLeftAlone() {
    start(instance());
    WorkflowInstance others = claimOne(rescuer);
    startAndClaim();
    expireLeases();

    assertThat(recover(10)).hasSize(1);
    assertThat(read(others)).isEqualTo(others);
  }

  @Test
  void renewalAfterRecoveryMakesTheExecutorLiveAgain() {
    expireLeases();
    recover(10);
    store.executors().renew(executor, TTL, ExecutorInfo.Load.NONE);
    assertThat(info(executor).recovered()).isNull();

    WorkflowInstance held = startAndClaim();
    expireLeases();
    assertThat(store.executors().expired(group)).contains(executor);
    assertThat(recover(10)).containsExactly(new Recovered(held.id(), false));
  }

  @Test
  void whatAZombieClaimsAfterItsRecoveryIsRecoveredToo() {
    expireLeases();
    recover(10);
    WorkflowInstance held = startAndClaim();

    assertThat(store.executors().expired(group)).contains(executor);
    assertThat(recover(10)).containsExactly(new Recovered(held.id(), false));
    assertThat(store.executors().expired(group)).doesNotContain(executor);
  }

  @Test
  void anInstanceThatKillsItsHoldersIsParked() {
    long id = startAndClaim().id();
    assertThat(die(executor)).isEqualTo(new Recovered(id, false));
    long second = register();
    claimOne(second);
    assertThat(die(second)).isEqualTo(new Recovered(id, false));
    long third = register();
    claimOne(third);
    assertThat(die(third)).isEqualTo(new Recovered(id, true));

    WorkflowInstance parked = read(id);
    assertThat(parked.status()).isEqualTo(InstanceStatus.MANUAL);
    assertThat(parked.lease()).isEqualTo(new Lease(null, 3, 3, 3, 3));
    assertThat(parked.position().reason()).contains(Long.toString(third));
    assertThat(claim(10)).isEmpty();
  }

  @Test
  void anAcceptedTransitionBetweenDeathsKeepsItFromBeingParked() {
    startAndClaim();
    for (int i = 0; i < 2 * MAX; i++) {
      long holder = i == 0 ? executor : register();
      if (i > 0) {
        saveAccepted(transitionOf(claimOne(holder)).retry(Duration.ZERO));
        claimOne(holder);
      }
      assertThat(die(holder).parked()).isFalse();
    }
  }

  @Test
  void aParkedInstanceRunsAgainAfterARetry() {
    WorkflowInstance held = startAndClaim();
    expireLeases();
    assertThat(store.executors().recover(executor, rescuer, 10, 1))
        .containsExactly(new Recovered(held.id(), true));
    applyAccepted(held, new OperatorCommand.Retry());

    assertThat(claimOne(rescuer).lease()).isEqualTo(new Lease(rescuer, 2, 2, 1, 0));
  }

  @Test
  void recoveryForgetsAWakeBecauseItWakesAnyway() {
    WorkflowInstance held = startAndClaim();
    apply(held, new OperatorCommand.Wake());
    expireLeases();
    recover(10);
    assertThat(read(held).nextActivation()).isEqualTo(now());

    WorkflowInstance again = claimOne(rescuer);
    assertThat(
            saveAccepted(transitionOf(again).consume(unconsumedMessages(held)).due(NEVER))
                .nextActivation())
        .isNull();
  }

  @Test
  void recoveryKeepsTheWait() {
    saveAccepted(transitionOf(startAndClaim()).waitFor(PAID, new Due.After(SECOND)));
    advance(SECOND);
    WorkflowInstance held = claimOne();
    expireLeases();
    recover(10);

    assertThat(read(held).position().waitingFor()).isEqualTo(PAID);
    assertThat(read(held).position().waitUntil()).isEqualTo(held.position().waitUntil());
  }

  @Test
  void aLargePageIsRecoveredInOneGo() {
    List<Long> ids = start(1_000);
    assertThat(claim(1_000)).hasSize(1_000);
    expireLeases();

    assertThat(recover(2_000).stream().map(Recovered::instanceId))
        .containsExactlyInAnyOrderElementsOf(ids);
    assertThat(ids.stream().map(id -> read(id).seq())).containsOnly(1);
  }

  @Test
  void theDeadMayBeFromAnotherGroup() {
    long foreign = register(group + "x");
    WorkflowInstance held = read(start(instance().group(group + "x").heldBy(foreign)));
    expireLeases();

    assertThat(new ArrayList<>(store.executors().expired(group + "x"))).containsExactly(foreign);
    assertThat(recover(foreign, 10)).containsExactly(new Recovered(held.id(), false));
  }
}
