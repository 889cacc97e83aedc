package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.CancelledException;
import io.millrace.definition.Next;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.InstanceStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Tests of the steps that a handler runs once, and of the values that stay the same over its
 * attempts.
 */
class HandlerStepsTest extends EngineFixture {

  @Test
  void theIdempotencyKeyIsOfTheVisitAndNotOfTheAttempt() {
    run(
        job(
                ctx -> {
                  log.add(ctx.idempotencyKey());
                  if (ctx.attempt() < 3) {
                    throw new IllegalStateException();
                  }
                  return log.size() < 6 ? Next.moveTo("work", "again") : Next.moveTo("end", "over");
                })
            .retry(DOUBLING)
            .build());
    start("job");
    engine.advance(Duration.ofMinutes(1));
    assertThat(log).hasSize(6);
    assertThat(log.subList(0, 3)).containsOnly(log.getFirst());
    assertThat(log.subList(3, 6)).containsOnly(log.getLast()).doesNotContain(log.getFirst());
  }

  @Test
  void aStepRunsOnceOverFailingAttempts() {
    run(
        job(
                ctx -> {
                  String paid = ctx.once("pay", String.class, () -> "paid " + ctx.attempt());
                  ctx.once("mail", () -> log.add("mail"));
                  if (ctx.attempt() < 3) {
                    throw new IllegalStateException();
                  }
                  return Next.moveTo("end", paid);
                })
            .retry(DOUBLING)
            .build());
    long id = start("job");
    engine.advance(Duration.ofMinutes(1));
    assertThat(last(id).outcome().reason()).isEqualTo("paid 1");
    assertThat(log).containsExactly("mail");
  }

  @Test
  void aStepRunsAgainInAnotherVisit() {
    run(
        job(
                ctx -> {
                  ctx.once("step", () -> log.add("ran"));
                  return log.size() < 3 ? Next.moveTo("work", "again") : Next.moveTo("end", "over");
                })
            .build());
    startAndRun();
    assertThat(log).hasSize(3);
  }

  @Test
  void aStepThatThrowsIsNotStored() {
    run(
        job(
                ctx -> {
                  ctx.once(
                      "s",
                      () -> {
                        log.add("ran");
                        if (log.size() == 1) {
                          throw new java.io.IOException("first");
                        }
                      });
                  return Next.moveTo("end", "x");
                })
            .retry(DOUBLING)
            .build());
    long id = start("job");
    engine.advance(Duration.ofMinutes(1));
    assertThat(log).hasSize(2);
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void aTimeoutCancelsTheHandlerAndCountsAsAFailedAttempt() {
    run(
        job(
                ctx -> {
                  assertThat(ctx.deadline()).isEqualTo(ctx.now().plusSeconds(5));
                  engine.clock().advance(Duration.ofSeconds(7));
                  engine.runDue();
                  log.add("cancelled " + ctx.cancelToken().isCancelled());
                  return Next.moveTo("end", "too late");
                })
            .timeout("work", Duration.ofSeconds(5))
            .retry(DOUBLING.maxAttempts(1))
            .build());
    long id = startAndRun();
    assertThat(log).containsExactly("cancelled true");
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(history(id)).hasSize(1);
    assertThat(last(id).outcome().error()).contains("AttemptTimeoutException");
  }

  @Test
  void aCancelledHandlerEndsEarlyWhenItAsks() {
    run(
        job(
                ctx -> {
                  engine.clock().advance(Duration.ofMillis(5_500));
                  engine.runDue();
                  ctx.cancelToken().throwIfCancelled();
                  return Next.moveTo("end", "never");
                })
            .timeout("work", Duration.ofSeconds(5))
            .retry(DOUBLING.maxAttempts(1))
            .build());
    long id = startAndRun();
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(last(id).outcome().error()).contains(CancelledException.class.getName());
  }
}
