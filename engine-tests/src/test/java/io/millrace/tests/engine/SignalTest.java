package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.definition.Next;
import io.millrace.definition.ReceivedSignal;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.definition.WorkflowDefinitionBuilder;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceNotFoundException;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StartRequest;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of signals and of the states that wait for them. */
class SignalTest extends EngineFixture {

  private Next received(StateContext ctx, Optional<ReceivedSignal> signal) {
    log.add(
        signal.map(s -> s.hasPayload() ? s.payload(Object.class) + "" : "none").orElse("timeout"));
    return Next.moveTo("end", "over");
  }

  private WorkflowDefinition waiting() {
    return job(ctx -> Next.moveTo("wait", "x"))
        .await("wait", "sig", Duration.ofHours(1), this::received)
        .build();
  }

  private long waitingInstance() {
    run(waiting());
    return startAndRun();
  }

  @Test
  void aSignalDuringTheWaitEndsIt() {
    long id = waitingInstance();
    assertThat(log).isEmpty();
    client().signal(id, "sig", 7);
    engine.runUntilIdle();
    assertThat(log).containsExactly("7");
    assertThat(client().inboxMessages(id, 10).getFirst().consumedSeq()).isEqualTo(2);
  }

  @Test
  void aSignalBeforeTheWaitIsKept() {
    run(waiting());
    long id = start(StartRequest.of("job").after(Duration.ofMinutes(1)));
    client().signal(id, "sig", "early");
    engine.advance(Duration.ofMinutes(2));
    assertThat(log).containsExactly("early");
  }

  @Test
  void aSignalWhileAHandlerRunsEndsTheNextWait() {
    run(
        job(
                ctx -> {
                  client().signal(ctx.instanceId(), "sig", "inside");
                  return Next.moveTo("wait", "x");
                })
            .await("wait", "sig", this::received)
            .build());
    long id = startAndRun();
    assertThat(log).containsExactly("inside");
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void aRunningHandlerSeesASignalThatCameAfterItsClaim() {
    run(
        job(
                ctx -> {
                  log.add("before " + ctx.signal("stop").isPresent());
                  client().signal(ctx.instanceId(), "other");
                  client().signal(ctx.instanceId(), "stop", 7);
                  log.add("after " + ctx.signal("stop").orElseThrow().payload(Integer.class));
                  return Next.moveTo("again", "told to stop");
                })
            .state("again", ctx -> Next.moveTo("end", "stop " + ctx.signal("stop").isPresent()))
            .build());
    long id = startAndRun();
    assertThat(log).containsExactly("before false", "after 7");
    assertThat(last(id).outcome().reason()).isEqualTo("stop false");
    assertThat(client().inboxMessages(id, 10))
        .extracting(InboxMessage::name, InboxMessage::consumedSeq)
        .containsExactly(tuple("stop", 1), tuple("other", null));
    assertThat(get(id).details().inboxCount()).isEqualTo(1);
  }

  @Test
  void aSignalReadByAnAttemptThatFailsIsThereForTheNext() {
    run(
        job(
                ctx -> {
                  if (ctx.attempt() == 1) {
                    client().signal(ctx.instanceId(), "stop");
                    assertThat(ctx.signal("stop")).isPresent();
                    throw new IllegalStateException("planned");
                  }
                  return Next.moveTo("end", "stop " + ctx.signal("stop").isPresent());
                })
            .retry(DOUBLING)
            .build());
    long id = startAndRun();
    engine.advance(Duration.ofMinutes(1));
    assertThat(last(id).outcome().reason()).isEqualTo("stop true");
    assertThat(client().inboxMessages(id, 10).getFirst().consumedSeq()).isEqualTo(2);
  }

  @Test
  void theHistoryNamesTheSignalsThatAStepConsumed() {
    long id = waitingInstance();
    client().signal(id, "sig", 7);
    engine.runUntilIdle();
    assertThat(history(id))
        .extracting(entry -> entry.outcome().consumed())
        .containsExactly(List.of(), List.of("sig"));
  }

  @Test
  void aTimeoutEndsTheWaitWithoutASignal() {
    long id = waitingInstance();
    engine.advance(Duration.ofHours(1).minusMillis(1));
    assertThat(log).isEmpty();
    engine.advance(Duration.ofMillis(1));
    assertThat(log).containsExactly("timeout");
    assertThat(last(id).span().ended()).isEqualTo(ManualEngine.START.plus(Duration.ofHours(1)));
  }

  @Test
  void aSignalAfterTheTimeoutIsRefusedOnceTheInstanceHasEnded() {
    long id = waitingInstance();
    engine.advance(Duration.ofHours(2));
    assertThatThrownBy(() -> client().signal(id, "sig", 1))
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("has ended");
  }

  @Test
  void aSignalThatComesWithTheTimeoutWins() {
    long id = waitingInstance();
    engine.clock().advance(Duration.ofHours(1));
    client().signal(id, "sig", "just in time");
    engine.runUntilIdle();
    assertThat(log).containsExactly("just in time");
  }

  private WorkflowDefinitionBuilder<String> twice() {
    return job(ctx -> Next.moveTo("one", "x"))
        .await(
            "one",
            "sig",
            (ctx, s) -> {
              log.add("one " + s.map(r -> r.payload(Integer.class)));
              return Next.moveTo("two", "x");
            })
        .await(
            "two",
            "sig",
            (ctx, s) -> {
              log.add("two " + s.map(r -> r.payload(Integer.class)));
              return Next.moveTo("end", "x");
            });
  }

  @Test
  void twoQueuedSignalsAreTakenInOrder() {
    run(twice().build());
    long id = startAndRun();
    client().signal(id, "sig", 1);
    client().signal(id, "sig", 2);
    engine.runUntilIdle();
    assertThat(log).containsExactly("one Optional[1]", "two Optional[2]");
  }

  @Test
  void oneSignalIsConsumedOnce() {
    run(twice().build());
    long id = startAndRun();
    client().signal(id, "sig", 1);
    engine.advance(Duration.ofHours(1));
    assertThat(log).containsExactly("one Optional[1]");
    assertThat(get(id).state()).isEqualTo("two");
  }

  @Test
  void aRepeatedKeyIsOneSignal() {
    run(twice().build());
    long id = startAndRun();
    client().signal(id, "sig", 1, "bob", "key");
    engine.runUntilIdle();
    client().signal(id, "sig", 1, "bob", "key");
    engine.runUntilIdle();
    assertThat(get(id).state()).isEqualTo("two");
    assertThat(client().inboxMessages(id, 10)).hasSize(1);
  }

  @Test
  void aRepeatedKeyIsAcceptedEvenAfterItsSignalEndedTheInstance() {
    long id = waitingInstance();
    client().signal(id, "sig", 1, null, "key");
    engine.runUntilIdle();
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
    assertThatCode(() -> client().signal(id, "sig", 1, null, "key")).doesNotThrowAnyException();
  }

  @Test
  void aSignalToAnUnknownInstanceIsRefused() {
    run(waiting());
    assertThatThrownBy(() -> client().signal(404, "sig"))
        .isInstanceOf(InstanceNotFoundException.class)
        .hasMessageContaining("404");
  }

  @Test
  void badNamesAndKeysAreRefused() {
    long id = waitingInstance();
    assertThatThrownBy(() -> client().signal(id, " ")).isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> client().signal(id, "s\uD83D")).hasMessageContaining("surrogate");
    assertThatThrownBy(() -> client().signal(id, "sig", Map.of("\uDE00", 1)))
        .hasMessageContainingAll("signal 'sig'", "surrogate");
    assertThatThrownBy(() -> client().signal(id, "sig", 1, "bob\uD83D", null))
        .hasMessageContainingAll("actor", "surrogate");
    assertThatThrownBy(() -> client().signal(id, "sig", 1, null, "k\uD83D"))
        .hasMessageContainingAll("signal key", "surrogate");
    assertThatThrownBy(() -> client().signal(id, "x".repeat(101)))
        .isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> client().signal(id, "sig", null, null, "x".repeat(201)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("signal key");
  }

  private long waitingInANormalState(Duration timeout) {
    run(
        forWeeks(),
        job(ctx -> Next.waitForSignal("normal", "sig", timeout, "x"))
            .state(
                "normal",
                ctx -> {
                  log.add("" + ctx.signal("sig").isPresent());
                  return Next.moveTo("end", "x");
                })
            .build());
    return startAndRun();
  }

  @Test
  void aNormalStateCanWaitForASignal() {
    long id = waitingInANormalState(null);
    engine.advance(Duration.ofDays(30));
    assertThat(log).isEmpty();
    client().signal(id, "sig");
    engine.runUntilIdle();
    assertThat(log).containsExactly("true");
  }

  @Test
  void aNormalStateWaitsNoLongerThanItsTimeout() {
    waitingInANormalState(Duration.ofMinutes(1));
    engine.advance(Duration.ofMinutes(1));
    assertThat(log).containsExactly("false");
  }

  @Test
  void aWaitEnteredLaterCountsItsTimeoutFromThen() {
    run(
        job(ctx -> Next.moveAfter("wait", Duration.ofHours(5), "later"))
            .await("wait", "sig", Duration.ofHours(1), this::received)
            .build());
    long id = startAndRun();
    engine.advance(Duration.ofHours(5));
    assertThat(log).isEmpty();
    assertThat(get(id).position().waitUntil())
        .isEqualTo(ManualEngine.START.plus(Duration.ofHours(6)));
    engine.advance(Duration.ofHours(1));
    assertThat(log).containsExactly("timeout");
  }
}
