package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.retry.RetryPolicy;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of the results of handlers and their effect on an instance. */
class HandlerResultsTest extends EngineFixture {

  private void runAnswering(Next answer) {
    run(
        job(ctx -> answer)
            .state("next", ctx -> Next.moveTo("end", "next ran"))
            .manual("desk")
            .await("wait", "sig", (ctx, signal) -> Next.moveTo("end", "waited"))
            .build());
  }

  @Test
  void immediateMovesAreOneClaimAndOneSaveEach() {
    run(
        job(ctx -> Next.moveTo("second", "a"))
            .state("second", ctx -> Next.moveTo("third", "b"))
            .state("third", ctx -> Next.moveTo("end", "c"))
            .build());
    long id = start("job");
    assertThat(engine.runUntilIdle()).isEqualTo(3);
    assertThat(history(id)).extracting(a -> a.outcome().reason()).containsExactly("a", "b", "c");
    assertThat(history(id)).extracting(a -> a.author().leaseVersion()).containsOnly(1);
    assertThat(history(id))
        .extracting(HistoryEntry::type)
        .containsOnly(HistoryEntryType.STATE_EXECUTION);
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void eachStateOfAChainHasItsFirstAttempt() {
    run(
        job(ctx -> Next.moveTo("second", "a"))
            .state("second", ctx -> Next.moveTo("end", "attempt " + ctx.attempt()))
            .build());
    long id = startAndRun();
    assertThat(last(id).outcome().reason()).isEqualTo("attempt 1");
    assertThat(last(id).author().attempt()).isEqualTo(1);
  }

  @Test
  void nullIsABrokenContractAndNotRetried() {
    runAnswering(null);
    long id = startAndRun();
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(history(id)).hasSize(1);
    assertThat(last(id).outcome().reason()).contains("'work'", "null");
  }

  @Test
  void anUnknownStateFailsTheInstanceAndNamesTheKnownOnes() {
    runAnswering(Next.moveTo("nowhere", "x"));
    long id = startAndRun();
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(last(id).outcome().reason()).contains("'nowhere'", "work", "desk");
  }

  @Test
  void aMoveThatIsNotPermittedFailsTheInstance() {
    run(
        job(ctx -> Next.moveTo("other", "x"))
            .state("other", ctx -> Next.moveTo("end", ""))
            .permit("work", "end")
            .permit("work", "third")
            .state("third", ctx -> Next.moveTo("other", ""))
            .build());
    long id = startAndRun();
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(last(id).outcome().reason()).contains("'other'", "permit");
  }

  @Test
  void aBrokenAnswerTakesTheFailureTransition() {
    run(
        job(ctx -> Next.moveTo("nowhere", "x"))
            .state("mend", ctx -> Next.moveTo("end", "mended"))
            .onFailure("work", "mend")
            .build());
    long id = startAndRun();
    assertThat(history(id))
        .extracting(HistoryEntry::move)
        .containsExactly(
            new HistoryEntry.Move("work", "mend"), new HistoryEntry.Move("mend", "end"));
  }

  @Test
  void theFailureTransitionIsNotAnAnswerUnlessPermitted() {
    run(
        job(ctx -> Next.moveTo("mend", "x"))
            .permit("work", "end")
            .state("mend", ctx -> Next.moveTo("end", "mended"))
            .onFailure("work", "mend")
            .build());
    long id = startAndRun();
    assertThat(history(id).getFirst().type()).isEqualTo(HistoryEntryType.STATE_EXECUTION_FAILED);
    assertThat(get(id).state()).isEqualTo("end");
  }

  @Test
  void anEndStateFinishesTheInstance() {
    runAnswering(Next.moveTo("end", "over"));
    long id = startAndRun();
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
    assertThat(get(id).state()).isEqualTo("end");
    assertThat(get(id).timing().ended()).isEqualTo(ManualEngine.START);
  }

  @Test
  void doneFinishesInTheCurrentState() {
    runAnswering(Next.done("enough"));
    long id = startAndRun();
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
    assertThat(get(id).state()).isEqualTo("work");
    assertThat(get(id).position().reason()).isEqualTo("enough");
  }

  @Test
  void failEndsAtOnceWithoutFurtherAttempts() {
    runAnswering(Next.fail("hopeless"));
    long id = startAndRun();
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(last(id).outcome().reason()).isEqualTo("hopeless");
    assertThat(last(id).outcome().error()).isNull();
  }

  @Test
  void aManualStateWaitsForAPerson() {
    runAnswering(Next.moveTo("desk", "look"));
    long id = startAndRun();
    engine.advance(Duration.ofDays(1));
    assertThat(status(id)).isEqualTo(InstanceStatus.MANUAL);
    assertThat(get(id).nextActivation()).isNull();
    assertThat(history(id)).hasSize(1);
  }

  @Test
  void moveAfterRunsTheNextStateAfterTheDelay() {
    runAnswering(Next.moveAfter("next", Duration.ofHours(3), "later"));
    long id = startAndRun();
    assertThat(get(id).nextActivation()).isEqualTo(ManualEngine.START.plus(Duration.ofHours(3)));
    engine.advance(Duration.ofHours(3).minusMillis(1));
    assertThat(status(id)).isEqualTo(InstanceStatus.IN_PROGRESS);
    engine.advance(Duration.ofMillis(1));
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void moveAtRunsTheNextStateAtTheInstant() {
    runAnswering(Next.moveAt("next", ManualEngine.START.plusSeconds(90), "later"));
    long id = startAndRun();
    engine.advance(Duration.ofSeconds(90));
    assertThat(last(id).span().ended()).isEqualTo(ManualEngine.START.plusSeconds(90));
  }

  @Test
  void moveAtAPastInstantRunsAtOnce() {
    runAnswering(Next.moveAt("next", ManualEngine.START.minusSeconds(90), "before"));
    assertThat(status(startAndRun())).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void retryAfterCountsAttemptsAndKeepsItsOwnDelay() {
    run(
        job(ctx -> Next.retryAfter(Duration.ofMinutes(7), "not yet"))
            .retry(DOUBLING.maxAttempts(3))
            .build());
    long id = startAndRun();
    assertThat(get(id).nextActivation()).isEqualTo(ManualEngine.START.plus(Duration.ofMinutes(7)));
    engine.advance(Duration.ofMinutes(14));
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(history(id)).extracting(a -> a.author().attempt()).containsExactly(1, 2, 3);
    assertThat(last(id).outcome().reason()).startsWith("not yet");
  }

  @Test
  void retryAfterANegativeDelayDoesNotBlockTheInstance() {
    run(
        job(ctx -> Next.retryAfter(Duration.ofSeconds(-1), "in the past"))
            .retry(RetryPolicy.fixed(Duration.ofSeconds(1)).maxAttempts(2))
            .build());
    long id = start("job");
    engine.advance(Duration.ofMinutes(1));
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
  }

  @Test
  void waitingForASignalWithANegativeTimeoutDoesNotBlockTheInstance() {
    run(
        job(ctx -> Next.waitForSignal("next", "sig", Duration.ofSeconds(-1), "deadline has passed"))
            .retry(RetryPolicy.never())
            .build());
    long id = start("job");
    engine.advance(Duration.ofMinutes(1));
    assertThat(status(id)).isIn(InstanceStatus.FINISHED, InstanceStatus.FAILED);
  }

  @Test
  void waitingInAStateThatCannotRunFailsTheInstance() {
    runAnswering(Next.waitForSignal("desk", "sig", null, "x"));
    long id = startAndRun();
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(last(id).outcome().reason()).contains("'desk'", "start or normal");
  }

  @Test
  void waitingForChildrenInAnEndStateFailsTheInstance() {
    runAnswering(Next.waitForChildren("end", "x"));
    assertThat(status(startAndRun())).isEqualTo(InstanceStatus.FAILED);
  }

  @Test
  void anEnumNamesStates() {
    run(
        WorkflowDefinition.of("job", InstanceStatus.class)
            .start(InstanceStatus.CREATED, ctx -> Next.moveTo(InstanceStatus.FINISHED, "x"))
            .end(InstanceStatus.FINISHED)
            .manual(InstanceStatus.MANUAL)
            .manual(InstanceStatus.PAUSED)
            .manual(InstanceStatus.FAILED)
            .manual(InstanceStatus.CANCELLED)
            .manual(InstanceStatus.EXECUTING)
            .manual(InstanceStatus.IN_PROGRESS)
            .build());
    assertThat(get(startAndRun()).state()).isEqualTo("FINISHED");
  }
}
