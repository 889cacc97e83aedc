package io.millrace.tests.store;

import static io.millrace.instance.InstanceStatus.FAILED;
import static io.millrace.instance.InstanceStatus.IN_PROGRESS;
import static io.millrace.instance.InstanceStatus.MANUAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.Due;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.FailureFingerprint;
import io.millrace.store.OperatorCommand;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests that the fingerprint of a failure appears with it, and disappears with the next history
 * entry.
 */
class FailureContractTest extends StoreContract {

  FailureContractTest(StoreFixture subject) {
    super(subject);
  }

  private WorkflowInstance failed() {
    return saveAccepted(transitionOf(startAndClaim()).end(FAILED).failure("f1"));
  }

  @Test
  void isSavedWithTheEndOrThePark() {
    assertThat(failed().failure()).isEqualTo("f1");
    assertThat(saveAccepted(transitionOf(startAndClaim()).end(MANUAL).failure("f2")).failure())
        .isEqualTo("f2");
    assertThat(
            saveAccepted(
                transitionOf(startAndClaim())
                    .set("v", "1")
                    .variableCount(1)
                    .end(FAILED)
                    .failure("f3")))
        .satisfies(i -> assertThat(i.failure()).isEqualTo("f3"))
        .satisfies(i -> assertThat(store.queries().variables(i.id())).containsEntry("v", "1"));
    assertThat(saveAccepted(transitionOf(startAndClaim()).retry(SECOND)).failure()).isNull();
  }

  @Test
  void eachOfManyInABatchHasItsOwn() {
    List<WorkflowInstance> held = List.of(startAndClaim(), startAndClaim(), startAndClaim());
    store
        .instances()
        .save(
            List.of(
                transitionOf(held.get(0)).end(FAILED).failure("a").build(),
                transitionOf(held.get(1)).build(),
                transitionOf(held.get(2)).end(FAILED).failure("b").build()));

    assertThat(held.stream().map(this::read).map(WorkflowInstance::failure))
        .containsExactly("a", null, "b");
  }

  @Test
  void isNotSavedByOneWhoIsFenced() {
    WorkflowInstance held = startAndClaim();
    saveAccepted(transitionOf(held));
    save(transitionOf(held).end(FAILED).failure("f1"));

    assertThat(read(held).failure()).isNull();
  }

  @Test
  void goesWithWhatBringsTheInstanceOnItsWayAgain() {
    assertThat(applyAccepted(failed(), new OperatorCommand.Retry()).failure()).isNull();
    assertThat(applyAccepted(failed(), new OperatorCommand.Cancel()).failure()).isNull();
    assertThat(
            applyAccepted(failed(), new OperatorCommand.Move("s", IN_PROGRESS, Due.NOW, null, null))
                .failure())
        .isNull();
    WorkflowInstance retried = applyAccepted(failed(), new OperatorCommand.Retry());
    WorkflowInstance again =
        claim(100).stream().filter(i -> i.id() == retried.id()).findFirst().orElseThrow();
    assertThat(saveAccepted(transitionOf(again).end(FAILED).failure("f2")).failure())
        .isEqualTo("f2");
  }

  @Test
  void staysWhileVariablesAreEdited() {
    assertThat(
            applyAccepted(failed(), new OperatorCommand.EditVariables(Map.of("v", "1"))).failure())
        .isEqualTo("f1");
  }

  @Test
  void comesWithTheLastOfManyDeaths() {
    WorkflowInstance killer = startAndClaim();
    expireLeases();
    long heir = register();
    store.executors().recover(executor, heir, 10, 2);
    assertThat(read(killer).failure()).isNull();

    store.executors().renew(heir, TTL, ExecutorInfo.Load.NONE);
    claimOne(heir);
    expireLeases();
    store.executors().recover(heir, register(), 10, 2);
    assertThat(read(killer).failure()).isEqualTo(FailureFingerprint.ofDeaths(type, killer.state()));
    assertThat(read(killer).position().status()).isEqualTo(MANUAL);
  }
}
