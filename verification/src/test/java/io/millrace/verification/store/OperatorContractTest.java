package io.millrace.verification.store;

import static io.millrace.instance.InstanceStatus.CANCELLED;
import static io.millrace.instance.InstanceStatus.CREATED;
import static io.millrace.instance.InstanceStatus.FAILED;
import static io.millrace.instance.InstanceStatus.FINISHED;
import static io.millrace.instance.InstanceStatus.IN_PROGRESS;
import static io.millrace.instance.InstanceStatus.MANUAL;
import static io.millrace.instance.InstanceStatus.PAUSED;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.Action;
import io.millrace.instance.ActionType;
import io.millrace.instance.Deed;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Lease;
import io.millrace.instance.Position;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.DeedCommand;
import io.millrace.store.DeedRules;
import io.millrace.store.OperatorStore.DeedResult;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperatorContractTest extends StoreContract {

  private static final DeedCommand CANCEL = new DeedCommand.Cancel();
  private static final DeedCommand PAUSE = new DeedCommand.Pause();
  private static final DeedCommand RESUME = new DeedCommand.Resume();
  private static final DeedCommand RETRY = new DeedCommand.Retry();
  private static final DeedCommand WAKE = new DeedCommand.Wake();

  OperatorContractTest(StoreUnderTest subject) {
    super(subject);
  }

  private WorkflowInstance idle() {
    return saved(move(held()).due(new Due.After(HOUR)));
  }

  private WorkflowInstance ended(InstanceStatus status) {
    return saved(move(held()).to("end").end(status));
  }

  private DeedCommand moveTo(String state, Due due, String waitingFor) {
    return new DeedCommand.Move(state, IN_PROGRESS, due, waitingFor, null);
  }

  private DeedCommand edit(String... namesAndValues) {
    Map<String, String> changes = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      changes.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return new DeedCommand.EditVariables(changes);
  }

  @Test
  void nobodyIsNotFound() {
    assertThat(store.operators().apply(Long.MAX_VALUE, CANCEL, DEED))
        .isEqualTo(new DeedResult.NotFound());
  }

  @Test
  void aDeedIsInTheHistory() {
    WorkflowInstance idle = idle();
    pass(SECOND);

    assertThat(apply(idle, PAUSE)).isEqualTo(new DeedResult.Applied(2, false, null));
    assertThat(lastAction(idle))
        .isEqualTo(
            new Action(
                idle.id(),
                2,
                ActionType.PAUSE,
                new Action.Move("next", "next"),
                new Action.Outcome("because", null, null),
                new Action.Author(null, 1, 0, "alice"),
                new Action.Span(now(), now())));
    assertThat(read(idle).timing().modified()).isEqualTo(now());
  }

  @Test
  void everyDeedIsWrittenUnderItsOwnName() {
    List<DeedCommand> deeds =
        List.of(PAUSE, RESUME, WAKE, edit("v", "1"), moveTo("x", Due.NOW, null), RETRY, CANCEL);
    WorkflowInstance idle = idle();
    deeds.forEach(deed -> done(idle, deed));

    assertThat(history(idle).stream().skip(1).map(Action::type))
        .isEqualTo(deeds.stream().map(DeedCommand::type).toList());
    assertThat(history(idle).stream().map(Action::seq)).isEqualTo(List.of(1, 2, 3, 4, 5, 6, 7, 8));
  }

  @Test
  void everyRefusalLeavesTheInstanceAsItWas() {
    for (WorkflowInstance it :
        List.of(
            idle(),
            held(),
            done(idle(), PAUSE),
            ended(FINISHED),
            ended(FAILED),
            ended(CANCELLED))) {
      for (DeedCommand deed :
          List.of(CANCEL, PAUSE, RESUME, RETRY, WAKE, edit("v", "1"), moveTo("x", NEVER, null))) {
        if (DeedRules.plan(it, deed) instanceof DeedRules.Plan.Refuse refuse) {
          assertThat(apply(it, deed)).isEqualTo(new DeedResult.Refused(refuse.message()));
          assertThat(read(it)).isEqualTo(it);
          assertThat(history(it)).hasSize(it.seq());
        }
      }
    }
  }

  @Test
  void aDeedWithoutAReasonIsPossible() {
    WorkflowInstance idle = idle();
    store.operators().apply(idle.id(), PAUSE, new Deed("alice", null));

    assertThat(read(idle).position().reason()).isNull();
    assertThat(lastAction(idle).outcome().reason()).isNull();
  }

  @Test
  void theReasonOfADeedIsWhyTheInstanceIsThere() {
    for (DeedCommand deed : List.of(PAUSE, CANCEL, RETRY, WAKE, moveTo("x", Due.NOW, null))) {
      assertThat(done(idle(), deed).position().reason()).isEqualTo("because");
    }
    assertThat(done(done(idle(), PAUSE), RESUME).position().reason()).isEqualTo("because");
  }

  @Test
  void aPausedOneKeepsItsDueTimeAndItsWait() {
    WorkflowInstance waiting = saved(move(held()).waitFor(PAID, new Due.After(HOUR)));
    WorkflowInstance paused = done(waiting, PAUSE);

    assertThat(paused.status()).isEqualTo(PAUSED);
    assertThat(paused.nextActivation()).isEqualTo(waiting.nextActivation());
    assertThat(paused.position().waitingFor()).isEqualTo(PAID);
    assertThat(paused.position().waitUntil()).isEqualTo(waiting.position().waitUntil());
  }

  @Test
  void aResumedOneGoesOnWhereItWas() {
    WorkflowInstance waiting = saved(move(held()).waitFor(PAID, new Due.After(HOUR)));
    WorkflowInstance resumed = done(done(waiting, PAUSE), RESUME);

    assertThat(resumed.status()).isEqualTo(IN_PROGRESS);
    assertThat(resumed.nextActivation()).isEqualTo(waiting.nextActivation());
    assertThat(resumed.position().waitingFor()).isEqualTo(PAID);
    assertThat(resumed.position().waitUntil()).isEqualTo(waiting.position().waitUntil());
    assertThat(resumed.position().enteredSeq()).isEqualTo(waiting.position().enteredSeq());
  }

  @Test
  void aDueOneIsDueAgainWhenItIsResumed() {
    WorkflowInstance fresh = read(start(instance()));
    assertThat(apply(fresh, PAUSE)).isEqualTo(new DeedResult.Applied(1, false, null));

    assertThat(apply(fresh, RESUME)).isEqualTo(new DeedResult.Applied(2, true, null));
    assertThat(claimOne().id()).isEqualTo(fresh.id());
  }

  @Test
  void aWakeMakesItDueNow() {
    WorkflowInstance waiting = saved(move(held()).waitFor(PAID, new Due.After(HOUR)));
    pass(SECOND);

    assertThat(apply(waiting, WAKE)).isEqualTo(new DeedResult.Applied(2, true, null));
    assertThat(read(waiting).nextActivation()).isEqualTo(now());
    assertThat(read(waiting).position().waitingFor()).isEqualTo(PAID);
    assertThat(read(waiting).position().waitUntil()).isEqualTo(waiting.position().waitUntil());
    assertThat(inbox(waiting)).isEmpty();
  }

  @Test
  void aWakeKeepsTheStatus() {
    WorkflowInstance fresh = read(start(instance().due(NEVER)));

    assertThat(done(fresh, WAKE).status()).isEqualTo(CREATED);
  }

  @Test
  void aRetryRunsTheStateAgainWithFreshAttempts() {
    saved(move(held()).retry(Duration.ZERO));
    WorkflowInstance twice = saved(move(claimOne()).retry(HOUR));
    assertThat(twice.lease().attempt()).isEqualTo(2);

    assertThat(apply(twice, RETRY)).isEqualTo(new DeedResult.Applied(3, true, null));
    assertThat(read(twice).lease()).isEqualTo(new Lease(null, 2, 3, 0, 0));
    assertThat(read(twice).position().enteredSeq()).isEqualTo(twice.position().enteredSeq());
    assertThat(claimOne().lease().attempt()).isEqualTo(1);
  }

  @Test
  void aRetryOfAFailedOneRevivesIt() {
    WorkflowInstance failed = ended(FAILED);
    pass(SECOND);

    assertThat(apply(failed, RETRY)).isEqualTo(new DeedResult.Applied(2, true, null));
    assertThat(read(failed).timing().ended()).isNull();
    assertThat(read(failed).nextActivation()).isEqualTo(now());
    assertThat(read(failed).status()).isEqualTo(IN_PROGRESS);
    assertThat(claimOne().state()).isEqualTo("end");
  }

  @Test
  void aRetryOfAManualOneMakesItDue() {
    WorkflowInstance manual = saved(move(held()).status(MANUAL).due(NEVER));

    assertThat(apply(manual, RETRY)).isEqualTo(new DeedResult.Applied(2, true, null));
    assertThat(claimOne().id()).isEqualTo(manual.id());
  }

  @Test
  void aCancelledOneHasEnded() {
    WorkflowInstance waiting = saved(move(held()).waitFor(PAID, new Due.After(HOUR)));
    pass(SECOND);

    assertThat(apply(waiting, CANCEL)).isEqualTo(new DeedResult.Applied(2, false, null));
    WorkflowInstance after = read(waiting);
    assertThat(after.status()).isEqualTo(CANCELLED);
    assertThat(after.position())
        .isEqualTo(new Position("next", CANCELLED, "because", 1, null, null, null));
    assertThat(after.timing().ended()).isEqualTo(now());
    assertThat(after.lease()).isEqualTo(new Lease(null, 1, 2, 0, 0));
  }

  @Test
  void aCancelTakesAnExecutingOneFromItsHolder() {
    WorkflowInstance held = held();

    assertThat(apply(held, CANCEL)).isEqualTo(new DeedResult.Applied(1, false, executor));
    assertThat(read(held).lease()).isEqualTo(new Lease(null, 2, 1, 1, 0));
    assertThat(read(held).status()).isEqualTo(CANCELLED);
    assertThat(lastAction(held).author()).isEqualTo(new Action.Author(null, 2, 0, "alice"));
    assertThat(store.executors().owned(executor)).isEmpty();
  }

  @Test
  void aCancelOfAFailedOneIsItsEndAnew() {
    WorkflowInstance failed = ended(FAILED);
    pass(SECOND);
    WorkflowInstance after = done(failed, CANCEL);

    assertThat(after.status()).isEqualTo(CANCELLED);
    assertThat(after.timing().ended()).isEqualTo(now());
  }

  @Test
  void editedVariablesAreStoredAndRecorded() {
    WorkflowInstance it =
        saved(
            move(held(instance().variable("a", "1").variable("b", "2"))).due(new Due.After(HOUR)));
    pass(SECOND);

    assertThat(apply(it, edit("c", "\"x\"", "a", null, "b", "20", "never", null)))
        .isEqualTo(new DeedResult.Applied(2, false, null));

    assertThat(store.queries().variables(it.id())).isEqualTo(Map.of("b", "20", "c", "\"x\""));
    assertThat(read(it).attachments().variables()).isEqualTo(2);
    assertThat(lastAction(it).outcome())
        .isEqualTo(
            new Action.Outcome(
                "because", null, "{\"a\":null,\"b\":20,\"c\":\"x\",\"never\":null}"));
  }

  @Test
  void anEditLeavesTheRestAlone() {
    WorkflowInstance waiting = saved(move(held()).waitFor(PAID, new Due.After(HOUR)));
    WorkflowInstance after = done(waiting, edit("v", "1"));

    assertThat(after.position()).isEqualTo(waiting.position());
    assertThat(after.lease()).isEqualTo(new Lease(null, 1, 2, 0, 0));
  }

  @Test
  void editedVariablesAreInTheNextPayload() {
    WorkflowInstance fresh = read(start(instance()));
    done(fresh, edit("v", "1"));

    assertThat(claim(executor, 1).claimed().getFirst().payload().variables())
        .isEqualTo(Map.of("v", "1"));
  }

  @Test
  void appliedTellsWhetherTheInstanceIsClaimableNow() {
    assertThat(apply(idle(), edit("v", "1"))).isEqualTo(new DeedResult.Applied(2, false, null));
    assertThat(apply(read(start(instance())), edit("v", "1")))
        .isEqualTo(new DeedResult.Applied(1, true, null));
    assertThat(apply(done(idle(), PAUSE), edit("v", "1")))
        .isEqualTo(new DeedResult.Applied(3, false, null));
    assertThat(apply(done(idle(), PAUSE), RESUME))
        .isEqualTo(new DeedResult.Applied(3, false, null));
    assertThat(apply(idle(), moveTo("x", Due.NOW, null)))
        .isEqualTo(new DeedResult.Applied(2, true, null));
  }

  @Test
  void leaseVersionsStayWhenNobodyHoldsIt() {
    WorkflowInstance idle = idle();
    for (DeedCommand deed :
        Arrays.asList(PAUSE, RESUME, WAKE, RETRY, moveTo("x", NEVER, null), CANCEL)) {
      assertThat(done(idle, deed).lease().leaseVersion()).isEqualTo(1);
    }
  }
}
