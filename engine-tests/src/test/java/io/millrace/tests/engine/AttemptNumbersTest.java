package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.fixtures.EngineFixture;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of the numbering of attempts. */
class AttemptNumbersTest extends EngineFixture {

  @Test
  void theHandlerSeesItsAttemptNumbers() {
    run(
        job(
                ctx -> {
                  log.add("" + ctx.attempt());
                  throw new IllegalStateException();
                })
            .retry(DOUBLING.maxAttempts(3))
            .build());
    start("job");
    engine.advance(Duration.ofMinutes(1));
    assertThat(log).containsExactly("1", "2", "3");
  }

  @Test
  void afterASuccessAttemptsCountFromOneAgain() {
    run(
        job(
                ctx -> {
                  if (ctx.attempt() < 3) {
                    throw new IllegalStateException();
                  }
                  return Next.moveAfter("second", Duration.ofSeconds(1), "on");
                })
            .state("second", ctx -> Next.moveTo("end", "attempt " + ctx.attempt()))
            .retry(DOUBLING)
            .build());
    long id = start("job");
    engine.advance(Duration.ofMinutes(1));
    assertThat(last(id).outcome().reason()).isEqualTo("attempt 1");
  }
}
