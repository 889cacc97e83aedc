package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.Action;
import io.millrace.instance.ActionType;
import io.millrace.instance.Due;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Lease;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.DeedCommand;
import io.millrace.store.ExecutorStore.Recovered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Taking instances from the dead. */
class RecoveryContractTest extends StoreContract {

  private static final int MAX = 3;

  private long rescuer;

  RecoveryContractTest(StoreUnderTest subject) {
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

  /** Kills the holder of {@code held} and has it recovered. */
  private Recovered die(long holder) {
    expire();
    store.executors().renew(rescuer, TTL, ExecutorInfo.Load.NONE);
    List<Recovered> recovered = recover(holder, 10);
    assertThat(recovered).hasSize(1);
    return recovered.getFirst();
  }

  @Test
  void aRecoveredInstanceIsClaimableAgain() {
    WorkflowInstance held = held();
    expire();

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
    expire();
    recover(10);
    pass(Duration.ofDays(8));
    store.executors().renew(rescuer, TTL, ExecutorInfo.Load.NONE);
    store.retention().deleteExecutors(Duration.ofDays(7), 1000);
    WorkflowInstance held = held();

    assertThat(store.executors().renew(executor, TTL, ExecutorInfo.Load.NONE).found()).isFalse();
    assertThat(store.executors().forgotten(group)).containsExactly(executor);
    assertThat(recover(10)).containsExactly(new Recovered(held.id(), false));
    assertThat(read(held).lease().executorId()).isNull();
    assertThat(store.executors().forgotten(group)).isEmpty();
  }

  @Test
  void theRecoveryIsInTheHistory() {
    WorkflowInstance held = saved(move(held()).keepLease());
    expire();
    recover(10);

    Action action = lastAction(held);
    assertThat(action.seq()).isEqualTo(2);
    assertThat(action.type()).isEqualTo(ActionType.RECOVERY);
    assertThat(action.move()).isEqualTo(new Action.Move("next", "next"));
    assertThat(action.author()).isEqualTo(new Action.Author(rescuer, 1, 0, null));
    assertThat(action.span()).isEqualTo(new Action.Span(now(), now()));
    assertThat(action.outcome().reason()).contains(Long.toString(executor));
    assertThat(action.outcome().error()).isNull();
    assertThat(action.outcome().variables()).isNull();
  }

  @Test
  void nothingIsTakenWhileTheLeaseRuns() {
    WorkflowInstance held = held();
    pass(TTL);

    assertThat(recover(10)).isEmpty();
    assertThat(read(held)).isEqualTo(held);
  }

  @Test
  void nothingIsTakenAfterALateRenewal() {
    WorkflowInstance held = held();
    expire();
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
    expire();
    assertThat(recover(10)).isEmpty();

    assertThat(info(executor).recovered()).isEqualTo(now());
    assertThat(store.executors().expired(group)).doesNotContain(executor);
  }

  @Test
  void recoveryGoesByPages() {
    for (int i = 0; i < 7; i++) {
      held();
    }
    expire();
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
    WorkflowInstance held = held();
    expire();
    recover(10);
    WorkflowInstance after = read(held);

    assertThat(recover(10)).isEmpty();
    assertThat(read(held)).isEqualTo(after);
  }

  @Test
  void whatOthersHoldIsLeftAlone() {
    start(instance());
    WorkflowInstance others = claimOne(rescuer);
    held();
    expire();

    assertThat(recover(10)).hasSize(1);
    assertThat(read(others)).isEqualTo(others);
  }

  @Test
  void renewalAfterRecoveryMakesTheExecutorLiveAgain() {
    expire();
    recover(10);
    store.executors().renew(executor, TTL, ExecutorInfo.Load.NONE);
    assertThat(info(executor).recovered()).isNull();

    WorkflowInstance held = held();
    expire();
    assertThat(store.executors().expired(group)).contains(executor);
    assertThat(recover(10)).containsExactly(new Recovered(held.id(), false));
  }

  @Test
  void whatAZombieClaimsAfterItsRecoveryIsRecoveredToo() {
    expire();
    recover(10);
    WorkflowInstance held = held();

    assertThat(store.executors().expired(group)).contains(executor);
    assertThat(recover(10)).containsExactly(new Recovered(held.id(), false));
    assertThat(store.executors().expired(group)).doesNotContain(executor);
  }

  @Test
  void anInstanceThatKillsItsHoldersIsParked() {
    long id = held().id();
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
    held();
    for (int i = 0; i < 2 * MAX; i++) {
      long holder = i == 0 ? executor : register();
      if (i > 0) {
        saved(move(claimOne(holder)).retry(Duration.ZERO));
        claimOne(holder);
      }
      assertThat(die(holder).parked()).isFalse();
    }
  }

  @Test
  void aParkedInstanceRunsAgainAfterARetry() {
    WorkflowInstance held = held();
    expire();
    assertThat(store.executors().recover(executor, rescuer, 10, 1))
        .containsExactly(new Recovered(held.id(), true));
    done(held, new DeedCommand.Retry());

    assertThat(claimOne(rescuer).lease()).isEqualTo(new Lease(rescuer, 2, 2, 1, 0));
  }

  @Test
  void recoveryForgetsAWakeBecauseItWakesAnyway() {
    WorkflowInstance held = held();
    apply(held, new DeedCommand.Wake());
    expire();
    recover(10);
    assertThat(read(held).nextActivation()).isEqualTo(now());

    WorkflowInstance again = claimOne(rescuer);
    assertThat(saved(move(again).consume(inbox(held)).due(NEVER)).nextActivation()).isNull();
  }

  @Test
  void recoveryKeepsTheWait() {
    saved(move(held()).waitFor(PAID, new Due.After(SECOND)));
    pass(SECOND);
    WorkflowInstance held = claimOne();
    expire();
    recover(10);

    assertThat(read(held).position().waitingFor()).isEqualTo(PAID);
    assertThat(read(held).position().waitUntil()).isEqualTo(held.position().waitUntil());
  }

  @Test
  void aLargePageIsRecoveredInOneGo() {
    List<Long> ids = start(1_000);
    assertThat(claim(1_000)).hasSize(1_000);
    expire();

    assertThat(recover(2_000).stream().map(Recovered::instanceId))
        .containsExactlyInAnyOrderElementsOf(ids);
    assertThat(ids.stream().map(id -> read(id).seq())).containsOnly(1);
  }

  @Test
  void theDeadMayBeFromAnotherGroup() {
    long foreign = register(group + "x");
    WorkflowInstance held = read(start(instance().group(group + "x").heldBy(foreign)));
    expire();

    assertThat(new ArrayList<>(store.executors().expired(group + "x"))).containsExactly(foreign);
    assertThat(recover(foreign, 10)).containsExactly(new Recovered(held.id(), false));
  }
}
