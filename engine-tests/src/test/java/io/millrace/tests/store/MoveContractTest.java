package io.millrace.tests.store;

import static io.millrace.instance.InstanceStatus.FAILED;
import static io.millrace.instance.InstanceStatus.FINISHED;
import static io.millrace.instance.InstanceStatus.IN_PROGRESS;
import static io.millrace.instance.InstanceStatus.MANUAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.AuditQuery;
import io.millrace.instance.Due;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Lease;
import io.millrace.instance.Position;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorCommand.MoveLimits;
import io.millrace.store.OperatorStore.CommandResult;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests that operators can move an instance into any state. */
class MoveContractTest extends StoreContract {

  MoveContractTest(StoreFixture subject) {
    super(subject);
  }

  private WorkflowInstance idle() {
    return saveAccepted(transitionOf(startAndClaim()).due(new Due.After(HOUR)));
  }

  private WorkflowInstance ended(InstanceStatus status) {
    return saveAccepted(transitionOf(startAndClaim()).to("end").end(status));
  }

  private OperatorCommand moveTo(String state, Due due, String waitingFor) {
    return new OperatorCommand.Move(state, IN_PROGRESS, due, waitingFor, null);
  }

  @Test
  void aMoveEntersAStateWithFreshAttempts() {
    WorkflowInstance retried = saveAccepted(transitionOf(startAndClaim()).retry(HOUR));
    advance(SECOND);

    assertThat(apply(retried, moveTo("target", new Due.After(HOUR), null)))
        .isEqualTo(new CommandResult.Applied(2, false, null));
    WorkflowInstance after = read(retried);
    assertThat(after.position())
        .isEqualTo(new Position("target", IN_PROGRESS, "because", 2, now().plus(HOUR), null, null));
    assertThat(after.lease()).isEqualTo(new Lease(null, 1, 2, 0, 0));
    assertThat(after.timing().entered()).isEqualTo(now());
    assertThat(lastAction(retried).move()).isEqualTo(new HistoryEntry.Move("begin", "target"));
  }

  @Test
  void aMoveIntoAWaitHasItsLimit() {
    WorkflowInstance after = applyAccepted(idle(), moveTo("waiting", new Due.After(SECOND), PAID));

    assertThat(after.position().waitingFor()).isEqualTo(PAID);
    assertThat(after.position().waitUntil()).isEqualTo(now().plus(SECOND));
    assertThat(after.nextActivation()).isEqualTo(now().plus(SECOND));
  }

  @Test
  void aMoveOutOfAWaitForgetsIt() {
    WorkflowInstance waiting =
        saveAccepted(transitionOf(startAndClaim()).waitFor(PAID, new Due.After(HOUR)));
    WorkflowInstance after = applyAccepted(waiting, moveTo("x", Due.NOW, null));

    assertThat(after.position().waitingFor()).isNull();
    assertThat(after.position().waitUntil()).isNull();
  }

  @Test
  void aMoveIntoAWaitWhoseSignalIsAlreadyThereIsDue() {
    WorkflowInstance idle = idle();
    signal(idle, "paid");

    assertThat(apply(idle, moveTo("waiting", NEVER, PAID)))
        .isEqualTo(new CommandResult.Applied(2, true, null));
    assertThat(claimOne().id()).isEqualTo(idle.id());
  }

  @Test
  void aMoveIntoAWaitForChildrenThatHaveEndedIsDue() {
    WorkflowInstance idle = idle();

    assertThat(apply(idle, moveTo("joining", NEVER, Position.CHILDREN)))
        .isEqualTo(new CommandResult.Applied(2, true, null));
  }

  @Test
  void aMoveToAnotherStateThanExpectedIsRefused() {
    WorkflowInstance idle = idle();
    OperatorCommand stale = new OperatorCommand.Move("x", IN_PROGRESS, Due.NOW, null, "begin");
    assertThat(apply(idle, stale)).isInstanceOf(CommandResult.Refused.class);
    assertThat(read(idle)).isEqualTo(idle);

    assertThat(apply(idle, new OperatorCommand.Move("x", IN_PROGRESS, Due.NOW, null, "next")))
        .isInstanceOf(CommandResult.Applied.class);
  }

  private static OperatorCommand limited(String state, boolean forced) {
    MoveLimits limits = new MoveLimits(Map.of("next", Set.of("end")), forced);
    return new OperatorCommand.Move(state, IN_PROGRESS, Due.NOW, null, null, limits);
  }

  @Test
  void aMoveBeyondItsLimitsIsDoneOnlyWhenForcedAndRecordedSo() {
    WorkflowInstance idle = idle();
    assertThat(apply(idle, limited("x", false))).isInstanceOf(CommandResult.Refused.class);
    assertThat(read(idle)).isEqualTo(idle);

    WorkflowInstance after = applyAccepted(idle, limited("x", true));
    assertThat(after.position().reason()).isEqualTo("forced: because");
    assertThat(lastAction(idle).outcome().reason()).isEqualTo("forced: because");
    assertThat(store.audit().list(AuditQuery.all().instance(idle.id())).items())
        .extracting(stored -> stored.entry().detail())
        .containsExactly("{\"forced\":true,\"from\":\"next\",\"to\":\"x\"}");
  }

  @Test
  void aMoveWithinItsLimitsIsNoForcedOne() {
    assertThat(applyAccepted(idle(), limited("end", true)).position().reason())
        .isEqualTo("because");
  }

  @Test
  void aWakeInAnotherStateThanExpectedIsRefused() {
    WorkflowInstance idle = idle();
    assertThat(apply(idle, new OperatorCommand.Wake("begin")))
        .isInstanceOfSatisfying(
            CommandResult.Refused.class, refused -> assertThat(refused.inOtherState()).isTrue());
    assertThat(read(idle)).isEqualTo(idle);
    assertThat(apply(idle, new OperatorCommand.Wake("next")))
        .isInstanceOf(CommandResult.Applied.class);
  }

  @Test
  void aMoveOfAFailedOneRevivesIt() {
    WorkflowInstance after = applyAccepted(ended(FAILED), moveTo("x", Due.NOW, null));

    assertThat(after.timing().ended()).isNull();
    assertThat(after.status()).isEqualTo(IN_PROGRESS);
    assertThat(claimOne().state()).isEqualTo("x");
  }

  @Test
  void aMoveToAnEndEndsIt() {
    WorkflowInstance waiting = waitingFor(PAID);
    WorkflowInstance after =
        applyAccepted(waiting, new OperatorCommand.Move("end", FINISHED, NEVER, null, null));

    assertThat(after.status()).isEqualTo(FINISHED);
    assertThat(after.timing().ended()).isEqualTo(now());
    assertThat(after.position().waitingFor()).isNull();
    assertThat(after.position().enteredSeq()).isEqualTo(2);
  }

  @Test
  void aMoveToAManualStateIsPossible() {
    WorkflowInstance after =
        applyAccepted(idle(), new OperatorCommand.Move("desk", MANUAL, NEVER, null, null));

    assertThat(after.status()).isEqualTo(MANUAL);
    assertThat(after.nextActivation()).isNull();
  }

  @Test
  void aMoveOfAParkedOneForgetsItsDeaths() {
    WorkflowInstance held = startAndClaim();
    expireLeases();
    store.executors().recover(executor, register(), 10, 1);

    assertThat(applyAccepted(held, moveTo("x", Due.NOW, null)).lease())
        .isEqualTo(new Lease(null, 1, 2, 0, 0));
  }
}
