package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceConflictException;
import io.millrace.instance.InstanceNotFoundException;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StartRequest;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of operator actions on instances that no executor executes. */
class OperatorTest extends EngineFixture {

  private final WorkflowDefinition job =
      job(
              ctx -> {
                log.add("work " + ctx.attempt());
                return Next.moveAfter("later", Duration.ofHours(1), "x");
              })
          .state(
              "later",
              ctx -> {
                log.add("later");
                return ctx.find("ok", Boolean.class).orElse(true)
                    ? Next.moveTo("end", "x")
                    : Next.fail("not ok");
              })
          .await(
              "wait",
              "sig",
              Duration.ofMinutes(5),
              (ctx, s) -> {
                log.add("signal " + s.isPresent());
                return Next.moveTo("end", "x");
              })
          .manual("desk")
          .build();

  private long id;

  @BeforeEach
  void instanceThatIsLaterDue() {
    run(job);
    id = startAndRun();
    log.clear();
  }

  private void assertAction(HistoryEntryType type, String from, String to) {
    HistoryEntry historyEntry = last(id);
    assertThat(historyEntry.type()).isEqualTo(type);
    assertThat(historyEntry.move()).isEqualTo(new HistoryEntry.Move(from, to));
    assertThat(historyEntry.author().actor()).isEqualTo("ann");
    assertThat(historyEntry.author().executorId()).isNull();
    assertThat(historyEntry.author().attempt()).isZero();
    assertThat(historyEntry.outcome().reason()).isEqualTo("because");
    assertThat(historyEntry.seq()).isEqualTo(history(id).size());
    assertThat(historyEntry.span().ended()).isEqualTo(engine.clock().instant());
  }

  private void assertRefused(Runnable action, String... texts) {
    int before = history(id).size();
    assertThatThrownBy(action::run)
        .isInstanceOfSatisfying(
            InstanceConflictException.class,
            e -> {
              assertThat(e.instanceId()).isEqualTo(id);
              assertThat(e).hasMessageContainingAll(texts);
            });
    assertThat(history(id)).hasSize(before);
  }

  @Test
  void wakeMakesDueNow() {
    client().wake(id, BY_ANN);
    assertAction(HistoryEntryType.WAKE, "later", "later");
    engine.runUntilIdle();
    assertThat(log).containsExactly("later");
  }

  @Test
  void pauseKeepsFromRunningUntilResumed() {
    client().pause(id, BY_ANN);
    assertAction(HistoryEntryType.PAUSE, "later", "later");
    engine.advance(Duration.ofHours(2));
    assertThat(status(id)).isEqualTo(InstanceStatus.PAUSED);
    assertThat(log).isEmpty();
    client().resume(id, BY_ANN);
    assertAction(HistoryEntryType.RESUME, "later", "later");
    engine.runUntilIdle();
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void aResumeBeforeTheDueTimeLeavesTheDueTime() {
    client().pause(id, BY_ANN);
    client().resume(id, BY_ANN);
    assertThat(engine.runUntilIdle()).isZero();
    assertThat(get(id).nextActivation()).isEqualTo(ManualEngine.START.plus(Duration.ofHours(1)));
  }

  @Test
  void cancelEndsTheInstance() {
    client().cancel(id, BY_ANN);
    assertAction(HistoryEntryType.CANCEL, "later", "later");
    engine.advance(Duration.ofHours(2));
    assertThat(status(id)).isEqualTo(InstanceStatus.CANCELLED);
    assertThat(get(id).timing().ended()).isEqualTo(ManualEngine.START);
    assertThat(log).isEmpty();
  }

  @Test
  void retryRunsTheStateNowWithFreshAttempts() {
    run(job(ctx -> Next.fail("attempt " + ctx.attempt())).build());
    id = startAndRun();
    client().retry(id, BY_ANN);
    assertAction(HistoryEntryType.RETRY, "work", "work");
    assertThat(get(id).timing().ended()).isNull();
    engine.runUntilIdle();
    assertThat(last(id).outcome().reason()).isEqualTo("attempt 1");
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
  }

  @Test
  void retryEndsABackOff() {
    run(
        job(
                ctx -> {
                  log.add("" + ctx.attempt());
                  throw new IllegalStateException();
                })
            .build());
    id = startAndRun();
    client().retry(id, BY_ANN);
    engine.runUntilIdle();
    assertThat(log).containsExactly("1", "1");
  }

  @Test
  void moveGoesToAnyStateAndRunsIt() {
    client().move(id, "work", BY_ANN);
    assertAction(HistoryEntryType.MOVE, "later", "work");
    engine.runUntilIdle();
    assertThat(log).containsExactly("work 1");
  }

  @Test
  void moveIntoAWaitStateWaitsThere() {
    client().move(id, "wait", BY_ANN);
    engine.runUntilIdle();
    assertThat(log).isEmpty();
    engine.advance(Duration.ofMinutes(5));
    assertThat(log).containsExactly("signal false");
  }

  @Test
  void moveIntoAWaitStateSeesASignalThatHasCome() {
    client().signal(id, "sig");
    client().move(id, "wait", BY_ANN);
    engine.runUntilIdle();
    assertThat(log).containsExactly("signal true");
  }

  @Test
  void moveIntoAManualStateWaitsForAPerson() {
    client().move(id, "desk", BY_ANN);
    engine.advance(Duration.ofDays(1));
    assertThat(status(id)).isEqualTo(InstanceStatus.MANUAL);
    client().move(id, "desk", "later", BY_ANN);
    engine.runUntilIdle();
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void moveIntoAnEndStateFinishes() {
    client().move(id, "end", BY_ANN);
    assertAction(HistoryEntryType.MOVE, "later", "end");
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
    assertThat(get(id).timing().ended()).isEqualTo(ManualEngine.START);
  }

  @Test
  void moveWithAnotherExpectedStateIsRefused() {
    assertRefused(() -> client().move(id, "work", "end", BY_ANN), "'later'", "'work'");
    client().move(id, "later", "end", BY_ANN);
    assertThat(get(id).state()).isEqualTo("end");
  }

  @Test
  void moveToAnUnknownStateNamesTheKnownOnes() {
    assertThatThrownBy(() -> client().move(id, "nowhere", BY_ANN))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll("'nowhere'", "'job' version 1", "desk");
  }

  @Test
  void editVariablesSetsAndRemoves() {
    client().editVariables(id, Map.of("a", 1, "b", 2), BY_ANN);
    Map<String, Object> edit = new HashMap<>();
    edit.put("a", null);
    edit.put("b", "two");
    client().editVariables(id, edit, BY_ANN);
    assertAction(HistoryEntryType.EDIT_VARIABLES, "later", "later");
    assertThat(last(id).outcome().variables()).isEqualTo("{\"a\":null,\"b\":\"two\"}");
    assertThat(client().variables(id)).isEqualTo(Map.of("b", "\"two\""));
    assertThat(get(id).details().variableCount()).isEqualTo(1);
    assertThat(get(id).position().reason()).isEqualTo("x");
  }

  @Test
  void editedVariablesAreSeenByTheNextHandler() {
    client().editVariables(id, Map.of("ok", false), BY_ANN);
    client().wake(id, BY_ANN);
    engine.runUntilIdle();
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    client().editVariables(id, Map.of("ok", true), BY_ANN);
    client().retry(id, BY_ANN);
    engine.runUntilIdle();
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void aBadVariableNameIsRefused() {
    assertThatThrownBy(() -> client().editVariables(id, Map.of("a\uD83D", 1), BY_ANN))
        .hasMessageContaining("half of a surrogate pair");
    assertThatThrownBy(() -> client().editVariables(id, Map.of("a", "\uDE00"), BY_ANN))
        .hasMessageContainingAll("Variable 'a'", "half of a surrogate pair");
    assertThatThrownBy(() -> client().editVariables(id, Map.of("", 1), BY_ANN))
        .isInstanceOf(InvalidRequestException.class);
  }

  @Test
  void refusalsNameTheStatusAndTheAllowedOnes() {
    assertRefused(() -> client().resume(id, BY_ANN), "inProgress", "resume", "[paused]");
    client().move(id, "end", BY_ANN);
    assertRefused(() -> client().wake(id, BY_ANN), "finished", "wake", "created", "executing");
    assertRefused(() -> client().pause(id, BY_ANN), "finished", "pause");
    assertRefused(() -> client().cancel(id, BY_ANN), "finished", "cancel");
    assertRefused(() -> client().retry(id, BY_ANN), "finished", "retry", "failed");
    assertRefused(() -> client().move(id, "work", BY_ANN), "finished", "move");
    assertRefused(() -> client().editVariables(id, Map.of(), BY_ANN), "finished", "editVariables");
  }

  @Test
  void actionsOnUnknownInstancesAreRefused() {
    assertThatThrownBy(() -> client().cancel(404, BY_ANN))
        .isInstanceOf(InstanceNotFoundException.class);
    assertThatThrownBy(() -> client().move(404, "end", BY_ANN))
        .isInstanceOf(InstanceNotFoundException.class);
    assertThatThrownBy(() -> client().statusReason(404))
        .isInstanceOf(InstanceNotFoundException.class);
    assertThat(client().find(404)).isEmpty();
  }

  @Test
  void aCreatedInstanceCanBePausedBeforeItRuns() {
    id = start(StartRequest.of("job").after(Duration.ofMinutes(1)));
    client().pause(id, BY_ANN);
    engine.advance(Duration.ofMinutes(5));
    assertThat(log).isEmpty();
    client().resume(id, BY_ANN);
    engine.runUntilIdle();
    assertThat(log).containsExactly("work 1");
  }

  @Test
  void aPausedWaitIsOverAfterItsResumeWhenItsSignalHasCome() {
    client().move(id, "wait", BY_ANN);
    client().pause(id, BY_ANN);
    client().signal(id, "sig");
    engine.advance(Duration.ofHours(1));
    assertThat(log).isEmpty();
    client().resume(id, BY_ANN);
    engine.runUntilIdle();
    assertThat(log).containsExactly("signal true");
  }
}
