package io.millrace.verification.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of instances with more data than a node can load. */
class LargeVariablesTest extends EngineFixture {

  private static final String MEGABYTE = "x".repeat((1 << 20) - 2);

  /** Number of megabytes that is one more than a node can load. */
  private static final int TOO_MANY = 65;

  @Test
  void anInstanceWhoseDataNobodyCanLoadWaitsForAPerson() {
    run(job(ctx -> Next.moveTo("end", "x")).build());
    StartRequest request = StartRequest.of("job").after(Duration.ofMinutes(1));
    for (int i = 0; i < TOO_MANY; i++) {
      request = request.variable("v" + i, MEGABYTE);
    }
    long large = start(request);
    long other = start(StartRequest.of("job").after(Duration.ofMinutes(1)));
    engine.advance(Duration.ofMinutes(2));

    assertThat(status(large)).isEqualTo(InstanceStatus.MANUAL);
    assertThat(get(large).reason()).contains("more than 64 MiB", "remove variables");
    assertThat(status(other)).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void anAnswerWithTooManyVariablesFailsTheStateAtOnce() {
    run(
        job(
                ctx -> {
                  log.add("attempt " + ctx.attempt());
                  for (int i = 0; i < TOO_MANY; i++) {
                    ctx.set("v" + i, MEGABYTE);
                  }
                  return Next.moveTo("end", "x");
                })
            .retry(DOUBLING)
            .build());
    long id = startAndRun();

    assertThat(log).containsExactly("attempt 1");
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(get(id).reason()).contains("variables would have more than 64 MiB");
    assertThat(client().variables(id)).isEmpty();
  }

  @Test
  void tooManyStepResultsFailTheStateAtOnce() {
    run(
        job(
                ctx -> {
                  log.add("attempt " + ctx.attempt());
                  for (int i = 0; i < TOO_MANY; i++) {
                    ctx.once("s" + i, String.class, () -> MEGABYTE);
                  }
                  return Next.moveTo("end", "x");
                })
            .retry(DOUBLING)
            .build());
    long id = startAndRun();

    assertThat(log).containsExactly("attempt 1");
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(get(id).reason()).contains("With step 's64' the results", "more than 64 MiB");
  }
}
