package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.InstanceStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of state that survives the death of an executor, besides its running step. */
class WaitRecoveryTest extends EngineFixture {

  @Test
  void waitsAndTimersOutliveTheirExecutor() {
    run(
        job(ctx -> Next.moveTo("wait", "x"))
            .await("wait", "sig", Duration.ofHours(1), (ctx, s) -> Next.done("" + s.isPresent()))
            .build());
    long signalled = startAndRun();
    long timed = startAndRun();
    engine.killExecutor();
    client().signal(signalled, "sig");
    engine.advance(Duration.ofHours(1));
    assertThat(List.of(signalled, timed))
        .extracting(id -> last(id).outcome().reason())
        .containsExactly("true", "false");
  }

  @Test
  void aStepIsNotRepeatedAfterItsRecord() {
    run(
        job(
                ctx -> {
                  ctx.once("pay", () -> log.add("paid " + ctx.idempotencyKey()));
                  if (ctx.attempt() == 1) {
                    engine.killExecutor();
                  }
                  return Next.moveTo("end", "x");
                })
            .build());
    long id = startAndRun();
    engine.advance(engine.leaseTime());
    assertThat(log).hasSize(1);
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
  }
}
