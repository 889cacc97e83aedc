package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StatusReason;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of the reason for an instance's status. */
class StatusReasonTest extends EngineFixture {

  private long runAnswering(Next answer) {
    run(
        job(ctx -> answer)
            .state("next", ctx -> Next.moveTo("end", "x"))
            .await("wait", "sig", Duration.ofHours(1), (ctx, s) -> Next.done("x"))
            .manual("desk")
            .build());
    return startAndRun();
  }

  private void assertWhy(long id, StatusReason expected, String sentence) {
    assertThat(client().statusReason(id)).isEqualTo(expected);
    assertThat(expected.sentence()).isEqualTo(sentence);
  }

  @Test
  void itWaitsForATimer() {
    long id = runAnswering(Next.moveAfter("next", Duration.ofHours(1), "x"));
    assertWhy(
        id,
        new StatusReason.WaitingForTimer(ManualEngine.START.plus(Duration.ofHours(1))),
        "It continues at 2026-01-05T09:00:00Z.");
  }

  @Test
  void itWaitsForItsFirstRun() {
    run(job(ctx -> Next.done("x")).build());
    long id = start(StartRequest.of("job").after(Duration.ofMinutes(1)));
    assertWhy(
        id,
        new StatusReason.WaitingForTimer(ManualEngine.START.plusSeconds(60)),
        "It continues at 2026-01-05T08:01:00Z.");
  }

  @Test
  void itWaitsForASignal() {
    long id = runAnswering(Next.moveTo("wait", "x"));
    assertWhy(
        id,
        new StatusReason.WaitingForSignal("sig", ManualEngine.START.plus(Duration.ofHours(1))),
        "It waits for the signal 'sig', at most until 2026-01-05T09:00:00Z.");
  }

  @Test
  void itWaitsForASignalForAsLongAsItTakes() {
    long id = runAnswering(Next.waitForSignal("next", "other", null, "x"));
    assertWhy(
        id, new StatusReason.WaitingForSignal("other", null), "It waits for the signal 'other'.");
  }

  @Test
  void itBacksOff() {
    run(
        job(
                ctx -> {
                  throw new IllegalStateException("no");
                })
            .retry(DOUBLING)
            .build());
    long id = startAndRun();
    assertWhy(
        id,
        new StatusReason.BackingOff(
            1, ManualEngine.START.plusSeconds(1), "java.lang.IllegalStateException: no"),
        "Attempt 1 failed: java.lang.IllegalStateException: no; the next one comes at"
            + " 2026-01-05T08:00:01Z.");
  }

  @Test
  void aWaitHandlerBacksOffToo() {
    run(
        job(ctx -> Next.moveTo("wait", "x"))
            .await(
                "wait",
                "sig",
                Duration.ofMinutes(1),
                (ctx, s) -> {
                  throw new IllegalStateException("no");
                })
            .retry(DOUBLING)
            .build());
    long id = startAndRun();
    engine.advance(Duration.ofMinutes(1));
    assertThat(client().statusReason(id)).isInstanceOf(StatusReason.BackingOff.class);
  }

  @Test
  void noExecutorIsAlive() {
    run(ManualEngine.defaultSettings().runsInstances(false), job(ctx -> Next.done("x")).build());
    long id = start("job");
    assertWhy(
        id,
        new StatusReason.WaitingForExecutor("millrace", ManualEngine.START, 0),
        "It has been due since 2026-01-05T08:00:00Z, but no executor of group 'millrace' is alive.");
  }

  @Test
  void executorsAreBusy() {
    run(job(ctx -> Next.done("x")).build());
    long id = start(StartRequest.of("job").after(Duration.ofMillis(1)));
    engine.clock().advance(Duration.ofMillis(1));
    assertWhy(
        id,
        new StatusReason.WaitingForExecutor("millrace", ManualEngine.START.plusMillis(1), 1),
        "It has been due since 2026-01-05T08:00:00.001Z and waits for one of 1 executors to have"
            + " room.");
  }

  @Test
  void itIsPaused() {
    long id = runAnswering(Next.moveTo("wait", "x"));
    client().pause(id, BY_ANN);
    assertWhy(id, new StatusReason.Paused("because"), "It is paused: because. Resume it to go on.");
  }

  @Test
  void itWaitsForAPerson() {
    long id = runAnswering(Next.moveTo("desk", "look at it"));
    assertWhy(
        id,
        new StatusReason.Manual("desk", "look at it"),
        "It waits for an operator in state 'desk': look at it. Move or retry it.");
  }

  @Test
  void itHasEnded() {
    long id = runAnswering(Next.moveTo("end", "all well"));
    assertWhy(
        id,
        new StatusReason.Ended(InstanceStatus.FINISHED, "all well"),
        "It has ended as finished: all well.");
  }

  @Test
  void itHasFailed() {
    long id = runAnswering(Next.fail("broken"));
    assertWhy(
        id,
        new StatusReason.Ended(InstanceStatus.FAILED, "broken"),
        "It has ended as failed: broken.");
  }

  @Test
  void noSentenceSaysNullWhenAnOperatorGaveNoReason() {
    OperatorAction action = new OperatorAction("ann", null);
    long id = runAnswering(Next.moveTo("wait", "x"));
    client().pause(id, action);
    assertThat(client().statusReason(id).sentence()).doesNotContain("null");
    client().move(id, "desk", action);
    assertThat(client().statusReason(id).sentence()).doesNotContain("null");
    client().cancel(id, action);
    assertThat(client().statusReason(id).sentence()).doesNotContain("null");
  }
}
