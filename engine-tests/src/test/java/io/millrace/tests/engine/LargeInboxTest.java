package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.definition.Next;
import io.millrace.definition.ReceivedSignal;
import io.millrace.definition.StateContext;
import io.millrace.fixtures.EngineFixture;
import io.millrace.fixtures.StoreProxy;
import io.millrace.instance.ConflictException;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.store.InboxRules;
import io.millrace.store.StoreException;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests of instances with more unconsumed signals than are read at once. */
class LargeInboxTest extends EngineFixture {

  private static final String MEGABYTE = "x".repeat((1 << 20) - 2);

  private long waiting(StartRequest request) {
    long id = start(request);
    engine.runUntilIdle();
    return id;
  }

  private void noise(long id) {
    for (int i = 0; i < InboxRules.PAGE + 10; i++) {
      client().signal(id, "noise", i);
    }
  }

  private Next log(StateContext ctx, Optional<ReceivedSignal> signal, String next) {
    log.add(ctx.state() + " " + signal.map(s -> s.payload(Integer.class)).orElse(null));
    return Next.moveTo(next, "x");
  }

  @Test
  void signalsBehindTheFirstPageAreReadInTheirOrder() {
    run(
        job(ctx -> Next.moveTo("one", "x"))
            .await("one", "sig", (ctx, s) -> log(ctx, s, "two"))
            .await("two", "sig", (ctx, s) -> log(ctx, s, "three"))
            .state("three", ctx -> log(ctx, ctx.signal("sig"), "four"))
            .await("four", "noise", (ctx, s) -> log(ctx, s, "end"))
            .build());
    long id = start(StartRequest.of("job").after(Duration.ofMinutes(1)));
    noise(id);
    for (int i = 1; i <= 3; i++) {
      client().signal(id, "sig", i);
    }
    engine.advance(Duration.ofMinutes(2));

    assertThat(log).containsExactly("one 1", "two 2", "three 3", "four 0");
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
    assertThat(get(id).details().inboxCount()).isEqualTo(InboxRules.PAGE + 9);
  }

  @Test
  void aHandlerThatAsksTwiceGetsTheSameSignal() {
    run(
        job(
                ctx -> {
                  log(ctx, ctx.signal("sig"), "end");
                  return log(ctx, ctx.signal("sig"), "end");
                })
            .build());
    long id = start(StartRequest.of("job").after(Duration.ofMinutes(1)));
    noise(id);
    client().signal(id, "sig", 1);
    client().signal(id, "sig", 2);
    engine.advance(Duration.ofMinutes(2));

    assertThat(log).containsExactly("work 1", "work 1");
    assertThat(get(id).details().inboxCount()).isEqualTo(InboxRules.PAGE + 11);
  }

  @Test
  void anAwaitedSignalThatIsNotReadWithTheClaimEndsTheWait() {
    run(
        job(ctx -> Next.moveTo("wait", "x"))
            .await("wait", "sig", Duration.ofHours(1), (ctx, s) -> log(ctx, s, "end"))
            .build());
    long id = waiting(StartRequest.of("job"));
    noise(id);
    assertThat(log).isEmpty();
    client().signal(id, "sig", 1);
    engine.runUntilIdle();

    assertThat(log).containsExactly("wait 1");
  }

  @Test
  void aFailedAttemptWaitsBeforeTheNextAlthoughItsSignalIsThere() {
    run(
        job(ctx -> Next.moveTo("wait", "x"))
            .await(
                "wait",
                "sig",
                (ctx, s) -> {
                  log.add(ctx.attempt() + " " + s.isPresent());
                  if (ctx.attempt() == 1) {
                    throw new IllegalStateException();
                  }
                  return Next.moveTo("end", "x");
                })
            .retry(DOUBLING)
            .build());
    long id = waiting(StartRequest.of("job"));
    noise(id);
    client().signal(id, "sig", 1);
    engine.runUntilIdle();
    assertThat(log).containsExactly("1 true");
    engine.advance(Duration.ofSeconds(2));

    assertThat(log).containsExactly("1 true", "2 true");
  }

  @Test
  void aPauseIsHeededHoweverManySignalsCameBefore() {
    run(
        job(
                ctx -> {
                  noise(ctx.instanceId());
                  client().pause(ctx.instanceId(), BY_ANN);
                  return Next.moveTo("second", "x");
                })
            .state("second", ctx -> log(ctx, Optional.empty(), "end"))
            .build());
    long id = startAndRun();

    assertThat(log).isEmpty();
    assertThat(last(id).type()).isEqualTo(HistoryEntryType.PAUSE);
    assertThat(get(id).details().inboxCount()).isEqualTo(InboxRules.PAGE + 10);
  }

  @Test
  void anInstanceWhoseSignalCannotBeReadIsTriedAgain() {
    AtomicInteger reads = new AtomicInteger();
    run(
        ManualEngine.defaultSettings(),
        clock ->
            StoreProxy.around(
                new MemoryStore(clock),
                call -> {
                  if (call.equals("before oldestSignal") && reads.incrementAndGet() == 1) {
                    throw new StoreException("the database is away", false, null);
                  }
                }),
        job(ctx -> Next.moveTo("wait", "x"))
            .await("wait", "sig", (ctx, s) -> log(ctx, s, "end"))
            .build());
    long id = waiting(StartRequest.of("job"));
    noise(id);
    client().signal(id, "sig", 1);
    engine.advance(Duration.ofMinutes(1));

    assertThat(log).containsExactly("wait 1");
    assertThat(history(id))
        .extracting(entry -> entry.type())
        .containsOnly(HistoryEntryType.STATE_EXECUTION);
    assertThat(reads.get()).isGreaterThan(1);
  }

  @Test
  void aFullInboxIsRefusedWithWhatToDo() {
    run(
        job(ctx -> Next.moveTo("wait", "x"))
            .await("wait", "sig", (ctx, s) -> log(ctx, s, "end"))
            .build());
    long id = waiting(StartRequest.of("job"));
    for (long i = 0; i < InboxRules.MAX_UNCONSUMED_BYTES >> 20; i++) {
      client().signal(id, "noise", MEGABYTE);
    }

    assertThatThrownBy(() -> client().signal(id, "noise", 1))
        .isInstanceOf(ConflictException.class)
        .hasMessage(
            "The inbox of instance "
                + id
                + " is full: signal 'noise' was not stored. Expected at most 10000 unconsumed signals"
                + " with payloads of 64 MiB together. Send it again when handlers of the instance"
                + " have read some, or keep large data elsewhere and send a reference to it.");
    client().signal(id, "sig", 7);
    engine.runUntilIdle();
    assertThat(log).containsExactly("wait 7");
  }
}
