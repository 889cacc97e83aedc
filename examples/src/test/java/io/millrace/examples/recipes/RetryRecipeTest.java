package io.millrace.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.retry.RetryPolicy;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/recipes/retry-a-flaky-service.md}. */
class RetryRecipeTest {

  /** A service that fails a number of times, then answers. */
  private static final class RateService {
    private final List<Instant> calls = new ArrayList<>();
    private int failures;

    double rate(String currency, Instant now) {
      calls.add(now);
      if (currency.isBlank()) {
        throw new IllegalArgumentException("no currency");
      }
      if (calls.size() <= failures) {
        throw new IllegalStateException("503");
      }
      return 1.25;
    }
  }

  private final RateService service = new RateService();

  private WorkflowDefinition quote() {
    // docs:retry
    return WorkflowDefinition.of("quote")
        .start(
            "ask",
            ctx -> {
              ctx.set("rate", service.rate(ctx.input(String.class), ctx.now()));
              return Next.moveTo("quoted", "answered in attempt " + ctx.attempt());
            })
        .end("quoted")
        .state("giveUp", ctx -> Next.moveTo("declined", "no rate after five attempts"))
        .end("declined")
        .retry(
            "ask",
            RetryPolicy.exponential(Duration.ofSeconds(2), Duration.ofMinutes(1))
                .maxAttempts(5)
                .neverOn(IllegalArgumentException.class))
        .timeout("ask", Duration.ofSeconds(10))
        .onFailure("ask", "giveUp")
        .build();
    // docs:end
  }

  private String stateAfterAnHour(String currency, int failures) {
    service.failures = failures;
    try (ManualEngine engine = ManualEngine.with(quote())) {
      long id = engine.client().start(StartRequest.of("quote", currency)).id();
      engine.advance(Duration.ofHours(1));
      return engine.client().get(id).state();
    }
  }

  @Test
  void aServiceThatRecoversIsAskedWithGrowingPauses() {
    assertThat(stateAfterAnHour("USD", 3)).isEqualTo("quoted");
    assertThat(pauses()).hasSize(3).isSorted();
    assertThat(pauses().getFirst()).isBetween(Duration.ofMillis(1_600), Duration.ofMillis(2_400));
  }

  @Test
  void aServiceThatStaysAwayIsGivenUpAfterFiveAttempts() {
    assertThat(stateAfterAnHour("USD", 99)).isEqualTo("declined");
    assertThat(service.calls).hasSize(5);
  }

  @Test
  void aMistakeIsNotRetried() {
    assertThat(stateAfterAnHour("", 0)).isEqualTo("declined");
    assertThat(service.calls).hasSize(1);
  }

  private List<Duration> pauses() {
    List<Duration> pauses = new ArrayList<>();
    for (int i = 1; i < service.calls.size(); i++) {
      pauses.add(Duration.between(service.calls.get(i - 1), service.calls.get(i)));
    }
    return pauses;
  }
}
