package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.CodecException;
import io.millrace.definition.Next;
import io.millrace.definition.ReceivedSignal;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceStatus;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of signals as handlers see them, attempt after attempt. */
class SignalAttemptsTest extends EngineFixture {

  record Payment(int amount, List<String> notes) {}

  @Test
  void aFailedAttemptKeepsItsSignal() {
    run(
        job(ctx -> Next.moveTo("wait", "x"))
            .await(
                "wait",
                "sig",
                (ctx, s) -> {
                  log.add(s.isPresent() + " in attempt " + ctx.attempt());
                  if (ctx.attempt() == 1) {
                    throw new IllegalStateException();
                  }
                  return Next.moveTo("end", "x");
                })
            .retry(DOUBLING)
            .build());
    long id = startAndRun();
    client().signal(id, "sig");
    engine.advance(Duration.ofMinutes(1));
    assertThat(log).containsExactly("true in attempt 1", "true in attempt 2");
    assertThat(client().inboxMessages(id, 10))
        .extracting(InboxMessage::consumedSeq)
        .containsExactly(3);
  }

  @Test
  void aFailedTimeoutHandlerIsTriedAgainAsTimedOut() {
    run(
        job(ctx -> Next.moveTo("wait", "x"))
            .await(
                "wait",
                "sig",
                Duration.ofMinutes(1),
                (ctx, s) -> {
                  log.add(s.isPresent() + " in attempt " + ctx.attempt());
                  if (ctx.attempt() == 1) {
                    throw new IllegalStateException();
                  }
                  return Next.moveTo("end", "x");
                })
            .retry(DOUBLING)
            .build());
    startAndRun();
    engine.advance(Duration.ofMinutes(2));
    assertThat(log).containsExactly("false in attempt 1", "false in attempt 2");
  }

  @Test
  void payloadsComeInTheTypeTheHandlerAsksFor() {
    run(
        job(ctx -> Next.moveTo("wait", "x"))
            .await(
                "wait",
                "sig",
                (ctx, s) -> {
                  ReceivedSignal signal = s.orElseThrow();
                  log.add(
                      signal.payload(Payment.class)
                          + " "
                          + signal.payload(Map.class).get("amount"));
                  assertThat(signal.actor()).isEqualTo("bob");
                  assertThat(signal.name()).isEqualTo("sig");
                  assertThat(signal.sentAt()).isEqualTo(ManualEngine.START);
                  return Next.moveTo("end", "x");
                })
            .build());
    long id = startAndRun();
    client().signal(id, "sig", new Payment(3, List.of("ä")), "bob", null);
    engine.runUntilIdle();
    assertThat(log).containsExactly("Payment[amount=3, notes=[ä]] 3");
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void aMissingPayloadIsToldClearly() {
    run(
        job(ctx -> Next.moveTo("wait", "x"))
            .await("wait", "sig", (ctx, s) -> Next.done(s.orElseThrow().payload(String.class)))
            .retry(DOUBLING.maxAttempts(1))
            .build());
    long id = startAndRun();
    client().signal(id, "sig");
    engine.runUntilIdle();
    assertThat(last(id).outcome().error())
        .contains(CodecException.class.getName(), "without payload");
  }

  @Test
  void aSignalOfAnotherNameIsQueuedForLater() {
    run(
        job(ctx -> Next.moveTo("one", "x"))
            .await("one", "first", (ctx, s) -> Next.moveTo("two", "first came"))
            .await("two", "second", (ctx, s) -> Next.moveTo("end", "second came"))
            .build());
    long id = startAndRun();
    client().signal(id, "second");
    engine.runUntilIdle();
    assertThat(get(id).state()).isEqualTo("one");
    client().signal(id, "first");
    engine.runUntilIdle();
    assertThat(last(id).outcome().reason()).isEqualTo("second came");
  }
}
