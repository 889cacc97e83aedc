package io.millrace.tests.store;

import static io.millrace.instance.InstanceStatus.CANCELLED;
import static io.millrace.instance.InstanceStatus.CREATED;
import static io.millrace.instance.InstanceStatus.FAILED;
import static io.millrace.instance.InstanceStatus.FINISHED;
import static io.millrace.instance.InstanceStatus.IN_PROGRESS;
import static io.millrace.instance.InstanceStatus.MANUAL;
import static io.millrace.instance.InstanceStatus.PAUSED;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.Due;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Lease;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.Position;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorCommandRules;
import io.millrace.store.OperatorStore.CommandResult;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperatorContractTest extends StoreContract {

  private static final OperatorCommand CANCEL = new OperatorCommand.Cancel();
  private static final OperatorCommand PAUSE = new OperatorCommand.Pause();
  private static final OperatorCommand RESUME = new OperatorCommand.Resume();
  private static final OperatorCommand RETRY = new OperatorCommand.Retry();
  private static final OperatorCommand WAKE = new OperatorCommand.Wake();

  OperatorContractTest(StoreFixture subject) {
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

  private OperatorCommand edit(String... namesAndValues) {
    Map<String, String> changes = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      changes.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return new OperatorCommand.EditVariables(changes);
  }

  @Test
  void nobodyIsNotFound() {
    assertThat(store.operators().apply(Long.MAX_VALUE, CANCEL, BY_ALICE))
        .isEqualTo(new CommandResult.NotFound());
  }

  @Test
  void anActionIsInTheHistory() {
    WorkflowInstance idle = idle();
    advance(SECOND);

    assertThat(apply(idle, PAUSE)).isEqualTo(new CommandResult.Applied(2, false, null));
    assertThat(lastAction(idle))
        .isEqualTo(
            new HistoryEntry(
                idle.id(),
                2,
                HistoryEntryType.PAUSE,
                new HistoryEntry.Move("next", "next"),
                new HistoryEntry.Outcome("because", null, null),
                new HistoryEntry.Author(null, 1, 0, "alice"),
                new HistoryEntry.Span(now(), now())));
    assertThat(read(idle).timing().modified()).isEqualTo(now());
  }

  @Test
  void everyActionIsWrittenUnderItsOwnName() {
    List<OperatorCommand> actions =
        List.of(PAUSE, RESUME, WAKE, edit("v", "1"), moveTo("x", Due.NOW, null), RETRY, CANCEL);
    WorkflowInstance idle = idle();
    actions.forEach(action -> applyAccepted(idle, action));

    assertThat(history(idle).stream().skip(1).map(HistoryEntry::type))
        .isEqualTo(actions.stream().map(OperatorCommand::type).toList());
    assertThat(history(idle).stream().map(HistoryEntry::seq))
        .isEqualTo(List.of(1, 2, 3, 4, 5, 6, 7, 8));
  }

  @Test
  void everyRefusalLeavesTheInstanceAsItWas() {
    for (WorkflowInstance it :
        List.of(
            idle(),
            startAndClaim(),
            applyAccepted(idle(), PAUSE),
            ended(FINISHED),
            ended(FAILED),
            ended(CANCELLED))) {
      for (OperatorCommand action :
          List.of(CANCEL, PAUSE, RESUME, RETRY, WAKE, edit("v", "1"), moveTo("x", NEVER, null))) {
        if (OperatorCommandRules.effectOf(it, action)
            instanceof OperatorCommandRules.Effect.Refuse refuse) {
          assertThat(apply(it, action))
              .isEqualTo(new CommandResult.Refused(refuse.message(), refuse.inOtherState()));
          assertThat(read(it)).isEqualTo(it);
          assertThat(history(it)).hasSize(it.seq());
        }
      }
    }
  }

  @Test
  void anEditMayNotBringTheVariablesOverItsLimit() {
    WorkflowInstance idle = idle();
    applyAccepted(idle, edit("a", "\"éé\"", "b", "123"));
    Map<String, String> changes = new LinkedHashMap<>(Map.of("b", "12345", "c", "\"😀\""));
    WorkflowInstance before = read(idle);

    assertThat(apply(idle, new OperatorCommand.EditVariables(changes, 16)))
        .isEqualTo(new CommandResult.TooLarge(17));
    assertThat(read(idle)).isEqualTo(before);
    assertThat(store.queries().variables(idle.id())).isEqualTo(Map.of("a", "\"éé\"", "b", "123"));

    assertThat(apply(idle, new OperatorCommand.EditVariables(changes, 17)))
        .isInstanceOf(CommandResult.Applied.class);
  }

  @Test
  void anEditMayReduceVariablesThatAreOverItsLimit() {
    WorkflowInstance idle = idle();
    applyAccepted(idle, edit("a", "12345", "b", "12345", "c", "12345"));
    Map<String, String> less = new LinkedHashMap<>();
    less.put("a", null);
    less.put("b", "1");

    assertThat(apply(idle, new OperatorCommand.EditVariables(Map.of("c", "123456"), 4)))
        .isEqualTo(new CommandResult.TooLarge(16));
    assertThat(apply(idle, new OperatorCommand.EditVariables(less, 4)))
        .isInstanceOf(CommandResult.Applied.class);
    assertThat(store.queries().variables(idle.id())).isEqualTo(Map.of("b", "1", "c", "12345"));
  }

  @Test
  void anActionWithoutAReasonIsPossible() {
    WorkflowInstance idle = idle();
    store.operators().apply(idle.id(), PAUSE, new OperatorAction("alice", null));

    assertThat(read(idle).position().reason()).isNull();
    assertThat(lastAction(idle).outcome().reason()).isNull();
  }

  @Test
  void theReasonOfAnActionIsWhyTheInstanceIsThere() {
    for (OperatorCommand action : List.of(PAUSE, CANCEL, RETRY, WAKE, moveTo("x", Due.NOW, null))) {
      assertThat(applyAccepted(idle(), action).position().reason()).isEqualTo("because");
    }
    assertThat(applyAccepted(applyAccepted(idle(), PAUSE), RESUME).position().reason())
        .isEqualTo("because");
  }

  @Test
  void aPausedOneKeepsItsDueTimeAndItsWait() {
    WorkflowInstance waiting =
        saveAccepted(transitionOf(startAndClaim()).waitFor(PAID, new Due.After(HOUR)));
    WorkflowInstance paused = applyAccepted(waiting, PAUSE);

    assertThat(paused.status()).isEqualTo(PAUSED);
    assertThat(paused.nextActivation()).isEqualTo(waiting.nextActivation());
    assertThat(paused.position().waitingFor()).isEqualTo(PAID);
    assertThat(paused.position().waitUntil()).isEqualTo(waiting.position().waitUntil());
  }

  @Test
  void aResumedOneGoesOnWhereItWas() {
    WorkflowInstance waiting =
        saveAccepted(transitionOf(startAndClaim()).waitFor(PAID, new Due.After(HOUR)));
    WorkflowInstance resumed = applyAccepted(applyAccepted(waiting, PAUSE), RESUME);

    assertThat(resumed.status()).isEqualTo(IN_PROGRESS);
    assertThat(resumed.nextActivation()).isEqualTo(waiting.nextActivation());
    assertThat(resumed.position().waitingFor()).isEqualTo(PAID);
    assertThat(resumed.position().waitUntil()).isEqualTo(waiting.position().waitUntil());
    assertThat(resumed.position().enteredSeq()).isEqualTo(waiting.position().enteredSeq());
  }

  @Test
  void aDueOneIsDueAgainWhenItIsResumed() {
    WorkflowInstance fresh = read(start(instance()));
    assertThat(apply(fresh, PAUSE)).isEqualTo(new CommandResult.Applied(1, false, null));

    assertThat(apply(fresh, RESUME)).isEqualTo(new CommandResult.Applied(2, true, null));
    assertThat(claimOne().id()).isEqualTo(fresh.id());
  }

  @Test
  void aWakeMakesItDueNow() {
    WorkflowInstance waiting =
        saveAccepted(transitionOf(startAndClaim()).waitFor(PAID, new Due.After(HOUR)));
    advance(SECOND);

    assertThat(apply(waiting, WAKE)).isEqualTo(new CommandResult.Applied(2, true, null));
    assertThat(read(waiting).nextActivation()).isEqualTo(now());
    assertThat(read(waiting).position().waitingFor()).isEqualTo(PAID);
    assertThat(read(waiting).position().waitUntil()).isEqualTo(waiting.position().waitUntil());
    assertThat(unconsumedMessages(waiting)).isEmpty();
  }

  @Test
  void aWakeKeepsTheStatus() {
    WorkflowInstance fresh = read(start(instance().due(NEVER)));

    assertThat(applyAccepted(fresh, WAKE).status()).isEqualTo(CREATED);
  }

  @Test
  void aRetryRunsTheStateAgainWithFreshAttempts() {
    saveAccepted(transitionOf(startAndClaim()).retry(Duration.ZERO));
    WorkflowInstance twice = saveAccepted(transitionOf(claimOne()).retry(HOUR));
    assertThat(twice.lease().attempt()).isEqualTo(2);

    assertThat(apply(twice, RETRY)).isEqualTo(new CommandResult.Applied(3, true, null));
    assertThat(read(twice).lease()).isEqualTo(new Lease(null, 2, 3, 0, 0));
    assertThat(read(twice).position().enteredSeq()).isEqualTo(twice.position().enteredSeq());
    assertThat(claimOne().lease().attempt()).isEqualTo(1);
  }

  @Test
  void aRetryOfAFailedOneRevivesIt() {
    WorkflowInstance failed = ended(FAILED);
    advance(SECOND);

    assertThat(apply(failed, RETRY)).isEqualTo(new CommandResult.Applied(2, true, null));
    assertThat(read(failed).timing().ended()).isNull();
    assertThat(read(failed).nextActivation()).isEqualTo(now());
    assertThat(read(failed).status()).isEqualTo(IN_PROGRESS);
    assertThat(claimOne().state()).isEqualTo("end");
  }

  @Test
  void aRetryOfAManualOneMakesItDue() {
    WorkflowInstance manual = saveAccepted(transitionOf(startAndClaim()).status(MANUAL).due(NEVER));

    assertThat(apply(manual, RETRY)).isEqualTo(new CommandResult.Applied(2, true, null));
    assertThat(claimOne().id()).isEqualTo(manual.id());
  }

  @Test
  void aCancelledOneHasEnded() {
    WorkflowInstance waiting =
        saveAccepted(transitionOf(startAndClaim()).waitFor(PAID, new Due.After(HOUR)));
    advance(SECOND);

    assertThat(apply(waiting, CANCEL)).isEqualTo(new CommandResult.Applied(2, false, null));
    WorkflowInstance after = read(waiting);
    assertThat(after.status()).isEqualTo(CANCELLED);
    assertThat(after.position())
        .isEqualTo(new Position("next", CANCELLED, "because", 1, null, null, null));
    assertThat(after.timing().ended()).isEqualTo(now());
    assertThat(after.lease()).isEqualTo(new Lease(null, 1, 2, 0, 0));
  }

  @Test
  void aCancelTakesAnExecutingOneFromItsHolder() {
    WorkflowInstance held = startAndClaim();

    assertThat(apply(held, CANCEL)).isEqualTo(new CommandResult.Applied(1, false, executor));
    assertThat(read(held).lease()).isEqualTo(new Lease(null, 2, 1, 1, 0));
    assertThat(read(held).status()).isEqualTo(CANCELLED);
    assertThat(lastAction(held).author()).isEqualTo(new HistoryEntry.Author(null, 2, 0, "alice"));
    assertThat(store.executors().ownedInstances(executor)).isEmpty();
  }

  @Test
  void aCancelOfAFailedOneEndsItAgain() {
    WorkflowInstance failed = ended(FAILED);
    advance(SECOND);
    WorkflowInstance after = applyAccepted(failed, CANCEL);

    assertThat(after.status()).isEqualTo(CANCELLED);
    assertThat(after.timing().ended()).isEqualTo(now());
  }

  @Test
  void editedVariablesAreStoredAndRecorded() {
    WorkflowInstance it =
        saveAccepted(
            transitionOf(startAndClaim(instance().variable("a", "1").variable("b", "2")))
                .due(new Due.After(HOUR)));
    advance(SECOND);

    assertThat(apply(it, edit("c", "\"x\"", "a", null, "b", "20", "never", null)))
        .isEqualTo(new CommandResult.Applied(2, false, null));

    assertThat(store.queries().variables(it.id())).isEqualTo(Map.of("b", "20", "c", "\"x\""));
    assertThat(read(it).details().variableCount()).isEqualTo(2);
    assertThat(lastAction(it).outcome())
        .isEqualTo(
            new HistoryEntry.Outcome(
                "because", null, "{\"a\":null,\"b\":20,\"c\":\"x\",\"never\":null}"));
  }

  @Test
  void anEditLeavesTheRestAlone() {
    WorkflowInstance waiting =
        saveAccepted(transitionOf(startAndClaim()).waitFor(PAID, new Due.After(HOUR)));
    WorkflowInstance after = applyAccepted(waiting, edit("v", "1"));

    assertThat(after.position()).isEqualTo(waiting.position());
    assertThat(after.lease()).isEqualTo(new Lease(null, 1, 2, 0, 0));
  }

  @Test
  void editedVariablesAreInTheNextPayload() {
    WorkflowInstance fresh = read(start(instance()));
    applyAccepted(fresh, edit("v", "1"));

    assertThat(claim(executor, 1).claimed().getFirst().data().variables())
        .isEqualTo(Map.of("v", "1"));
  }

  @Test
  void appliedTellsWhetherTheInstanceIsClaimableNow() {
    assertThat(apply(idle(), edit("v", "1"))).isEqualTo(new CommandResult.Applied(2, false, null));
    assertThat(apply(read(start(instance())), edit("v", "1")))
        .isEqualTo(new CommandResult.Applied(1, true, null));
    assertThat(apply(applyAccepted(idle(), PAUSE), edit("v", "1")))
        .isEqualTo(new CommandResult.Applied(3, false, null));
    assertThat(apply(applyAccepted(idle(), PAUSE), RESUME))
        .isEqualTo(new CommandResult.Applied(3, false, null));
    assertThat(apply(idle(), moveTo("x", Due.NOW, null)))
        .isEqualTo(new CommandResult.Applied(2, true, null));
  }

  @Test
  void leaseVersionsStayWhenNobodyHoldsIt() {
    WorkflowInstance idle = idle();
    for (OperatorCommand action :
        Arrays.asList(PAUSE, RESUME, WAKE, RETRY, moveTo("x", NEVER, null), CANCEL)) {
      assertThat(applyAccepted(idle, action).lease().leaseVersion()).isEqualTo(1);
    }
  }
}
