package io.millrace.tests.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.data.KeyContent;
import io.millrace.data.KeyValue;
import io.millrace.data.KeyWriteResult;
import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodId;
import io.millrace.data.PeriodLedger;
import io.millrace.data.PeriodState;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.retry.RetryPolicy;
import io.millrace.schedule.CalendarPeriod;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests of keys and values, the period ledger, and checkpoints, as handlers use them. */
class HandlerDataTest extends EngineFixture {

  private static final ZoneId ZONE = ZoneId.of("Africa/Johannesburg");

  private final AtomicBoolean fails = new AtomicBoolean();

  private static PeriodId today() {
    return new PeriodId("guard:close", "2026-01-05");
  }

  private PeriodEntry fire() {
    return engine.engine().periodLedger().find(today()).orElseThrow();
  }

  @Test
  void aValueThatAHandlerWritesIsThereAtOnce() {
    run(
        job(
                ctx -> {
                  KeyWriteResult first = ctx.keyValues().setIfAbsent("g", "k", KeyContent.of("a"));
                  KeyWriteResult second = ctx.keyValues().setIfAbsent("g", "k", KeyContent.of("b"));
                  log.add(first.isWritten() + " " + second.isWritten());
                  log.add(engine.engine().keyValues().get("g", "k").orElseThrow().value());
                  return Next.moveTo("end", "x");
                })
            .build());

    startAndRun();

    assertThat(log).containsExactly("true false", "a");
    assertThat(engine.engine().keyValues().get("g", "k")).map(KeyValue::value).contains("a");
  }

  private Next closeOnce(StateContext ctx) {
    PeriodLedger.Claim claim = ctx.periodLedger().claim("close", CalendarPeriod.LOCAL_DATE, ZONE);
    log.add(claim.shouldRun() + " " + claim.fencingToken());
    if (claim.shouldRun() && fails.get()) {
      return Next.fail("no money");
    }
    return Next.moveTo("end", "x");
  }

  @Test
  void onlyTheFirstOfADayIsToRun() {
    run(job(this::closeOnce).build());

    startAndRun();
    startAndRun();
    assertThat(log).containsExactly("true 1", "false 1");
    engine.advance(Duration.ofDays(1));
    startAndRun();

    assertThat(log).containsExactly("true 1", "false 1", "true 1");
    assertThat(fire().state()).isEqualTo(PeriodState.SUCCEEDED);
  }

  @Test
  void aFailedOneGivesItsDayBackUntilNoAttemptIsLeft() {
    fails.set(true);
    run(job(this::closeOnce).build());

    for (int i = 0; i < 4; i++) {
      startAndRun();
    }

    assertThat(log).containsExactly("true 1", "true 2", "true 3", "false 3");
    assertThat(fire().state()).isEqualTo(PeriodState.FAILED);
    assertThat(fire().reason()).contains("no money");
  }

  @Test
  void everyAttemptOfAnInstanceGetsTheSameAnswer() {
    run(
        job(
                ctx -> {
                  closeOnce(ctx);
                  if (ctx.attempt() < 3) {
                    throw new IllegalStateException("again");
                  }
                  return Next.moveTo("end", "x");
                })
            .retry(RetryPolicy.fixed(Duration.ofSeconds(1)))
            .build());

    startAndRun();
    engine.advance(Duration.ofMinutes(1));

    assertThat(log).containsExactly("true 1", "true 1", "true 1");
    engine.advance(engine.leaseTime());
    assertThat(fire().state()).isEqualTo(PeriodState.SUCCEEDED);
    assertThat(fire().attempt()).isEqualTo(1);
  }

  @Test
  void aHandlerCanEndThePeriodItself() {
    run(
        job(
                ctx -> {
                  PeriodLedger guard = ctx.periodLedger();
                  PeriodLedger.Claim claim = guard.claim("close", "2026-01-05");
                  log.add(claim.shouldRun() + " " + guard.release(claim, "not yet"));
                  return Next.moveTo("end", "x");
                })
            .build());

    startAndRun();
    startAndRun();

    assertThat(log).containsExactly("true true", "true true");
    assertThat(fire().state()).isEqualTo(PeriodState.RELEASED);
    assertThat(fire().reason()).isEqualTo("not yet");
  }

  @Test
  void theGuardsOfTwoWorkflowsDoNotKnowEachOther() {
    run(
        job(
                ctx -> {
                  log.add("" + ctx.periodLedger().claim("one", "p").shouldRun());
                  log.add("" + ctx.periodLedger().claim("two", "p").shouldRun());
                  return Next.moveTo("end", "x");
                })
            .build());

    startAndRun();
    startAndRun();

    assertThat(log).containsExactly("true", "true", "false", "false");
  }

  /** Processes one page per attempt; the third page fails once. */
  private Next nextPage(StateContext ctx) {
    int page = ctx.lastCheckpoint("page", Integer.class).orElse(0) + 1;
    ctx.checkpoint("page", page);
    if (page == 3 && fails.getAndSet(false)) {
      return Next.fail("the source is away");
    }
    log.add("page " + page);
    if (page < 4) {
      return Next.moveTo("work", "more");
    }
    ctx.checkpoint("page", null);
    return Next.moveTo("end", "all");
  }

  @Test
  void aLaterInstanceOfTheSameKeyGoesOnWhereTheFailedOneWas() {
    fails.set(true);
    run(job(this::nextPage).build());

    long first = start(StartRequest.of("job").businessKey("shop"));
    engine.runUntilIdle();
    assertThat(status(first)).isEqualTo(InstanceStatus.FAILED);
    start(StartRequest.of("job").businessKey("other"));
    engine.runUntilIdle();
    log.add("again");
    start(StartRequest.of("job").businessKey("shop"));
    engine.runUntilIdle();

    assertThat(log)
        .containsExactly(
            "page 1", "page 2", "page 1", "page 2", "page 3", "page 4", "again", "page 3",
            "page 4");
    log.clear();
    start(StartRequest.of("job").businessKey("shop"));
    engine.runUntilIdle();
    assertThat(log).startsWith("page 1");
  }

  @Test
  void anAttemptThatThrowsLeavesNoCheckpoint() {
    run(
        job(
                ctx -> {
                  Optional<String> last = ctx.lastCheckpoint("c", String.class);
                  ctx.checkpoint("c", "attempt " + ctx.attempt());
                  log.add(last + " " + ctx.lastCheckpoint("c", String.class).orElseThrow());
                  if (ctx.attempt() == 1) {
                    throw new IllegalStateException("again");
                  }
                  return Next.moveTo("end", "x");
                })
            .retry(RetryPolicy.fixed(Duration.ofSeconds(1)))
            .build());

    startAndRun();
    engine.advance(Duration.ofMinutes(1));

    assertThat(log).containsExactly("Optional.empty attempt 1", "Optional.empty attempt 2");
  }

  @Test
  void badNamesAndHugeValuesAreRefusedWithoutHarm() {
    run(
        job(
                ctx -> {
                  try {
                    ctx.keyValues().set("g", "k".repeat(1_001), "v");
                  } catch (RuntimeException e) {
                    log.add(e.getMessage());
                  }
                  try {
                    ctx.checkpoint("c", "x".repeat(KeyContent.MAX_BYTES));
                  } catch (RuntimeException e) {
                    log.add(e.getMessage());
                  }
                  return Next.moveTo("end", "x");
                })
            .build());

    long id = startAndRun();

    assertThat(log).hasSize(2);
    assertThat(log.getFirst()).contains("1001 characters; expected 1 to 1000");
    assertThat(log.getLast()).contains("expected at most 32768");
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
  }
}
