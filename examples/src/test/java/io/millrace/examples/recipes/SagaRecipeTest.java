package io.millrace.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.retry.RetryPolicy;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/recipes/compensate-with-a-saga.md}. */
class SagaRecipeTest {

  private final List<String> calls = new ArrayList<>();
  private boolean noCars;
  private int failedCancellations;

  // docs:saga
  WorkflowDefinition trip() {
    return WorkflowDefinition.of("trip")
        .start("flight", ctx -> book(ctx, "flight", "hotel"))
        .state("hotel", ctx -> book(ctx, "hotel", "car"))
        .state("car", ctx -> book(ctx, "car", "booked"))
        .end("booked")
        .state("undo", this::undo)
        .end("cancelled")
        .retry(RetryPolicy.fixed(Duration.ofSeconds(10)).maxAttempts(3))
        .retry("undo", RetryPolicy.exponential(Duration.ofSeconds(10), Duration.ofHours(1)))
        .onFailure("flight", "undo")
        .onFailure("hotel", "undo")
        .onFailure("car", "undo")
        .build();
  }

  private Next book(StateContext ctx, String part, String next) throws Exception {
    ctx.set(part, ctx.once(part, String.class, () -> reserve(part, ctx.idempotencyKey())));
    return Next.moveTo(next, part + " is booked");
  }

  private Next undo(StateContext ctx) throws Exception {
    for (String part : List.of("car", "hotel", "flight")) {
      if (ctx.find(part, String.class).isPresent()) {
        ctx.once("cancel " + part, () -> cancel(part, ctx.idempotencyKey()));
      }
    }
    return Next.moveTo("cancelled", "everything that was booked is cancelled");
  }

  // docs:end

  private String reserve(String part, String key) {
    if (noCars && part.equals("car")) {
      throw new IllegalStateException("no car for " + key);
    }
    calls.add("book " + part);
    return part + " 1";
  }

  private void cancel(String part, String key) {
    if (failedCancellations > 0 && part.equals("flight")) {
      failedCancellations--;
      throw new IllegalStateException("the airline does not answer " + key);
    }
    calls.add("cancel " + part);
  }

  private String run() {
    try (ManualEngine engine = ManualEngine.with(trip())) {
      long id = engine.client().start(StartRequest.of("trip")).id();
      engine.advance(Duration.ofHours(6));
      return engine.client().get(id).state();
    }
  }

  @Test
  void aTripIsBooked() {
    assertThat(run()).isEqualTo("booked");
    assertThat(calls).containsExactly("book flight", "book hotel", "book car");
  }

  @Test
  void whatWasBookedIsCancelledInReverse() {
    noCars = true;
    assertThat(run()).isEqualTo("cancelled");
    assertThat(calls).containsExactly("book flight", "book hotel", "cancel hotel", "cancel flight");
  }

  @Test
  void aCancellationThatFailsIsRetriedAndTheOthersAreNotRepeated() {
    noCars = true;
    failedCancellations = 4;
    assertThat(run()).isEqualTo("cancelled");
    assertThat(calls).containsExactly("book flight", "book hotel", "cancel hotel", "cancel flight");
  }
}
