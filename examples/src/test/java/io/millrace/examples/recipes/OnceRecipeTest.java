package io.millrace.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/recipes/do-something-once.md}. */
class OnceRecipeTest {

  /** A payment service that knows idempotency keys, and may lose its answer. */
  private static final class Payments {
    private final Map<String, Integer> charges = new LinkedHashMap<>();
    private int calls;
    private int lostAnswers;

    String charge(int cents, String idempotencyKey) {
      calls++;
      charges.putIfAbsent(idempotencyKey, cents);
      if (lostAnswers > 0) {
        lostAnswers--;
        throw new IllegalStateException("the answer was lost");
      }
      return "receipt of " + cents;
    }
  }

  private final Payments payments = new Payments();
  private int failures;

  // docs:once
  WorkflowDefinition payment() {
    return WorkflowDefinition.of("payment").start("charge", this::charge).build();
  }

  private Next charge(StateContext ctx) throws Exception {
    int cents = ctx.input(Integer.class);
    String receipt =
        ctx.once("charge", String.class, () -> payments.charge(cents, ctx.idempotencyKey()));
    sendMail(receipt);
    ctx.set("receipt", receipt);
    return Next.done("charged");
  }

  // docs:end

  private void sendMail(String receipt) {
    if (failures > 0) {
      failures--;
      throw new IllegalStateException("no mail for " + receipt);
    }
  }

  private void run() {
    try (ManualEngine engine = ManualEngine.with(payment())) {
      long id = engine.client().start(StartRequest.of("payment", 990)).id();
      engine.advance(Duration.ofHours(1));
      assertThat(engine.client().variable(id, "receipt", String.class)).contains("receipt of 990");
    }
  }

  @Test
  void aRetryDoesNotRepeatTheStep() {
    failures = 3;
    run();
    assertThat(payments.calls).isEqualTo(1);
  }

  @Test
  void aStepWhoseAnswerWasLostIsRepeatedWithTheSameKey() {
    payments.lostAnswers = 2;
    run();
    assertThat(payments.calls).isEqualTo(3);
    assertThat(payments.charges).hasSize(1);
  }

  @Test
  void twoInstancesHaveTwoKeys() {
    try (ManualEngine engine = ManualEngine.with(payment())) {
      engine.client().start(StartRequest.of("payment", 5));
      engine.client().start(StartRequest.of("payment", 7));
      engine.runUntilIdle();
    }
    assertThat(payments.charges.values()).containsExactlyInAnyOrder(5, 7);
  }

  @Test
  void aRepeatedStartWithAnExternalIdIsOneInstance() {
    try (ManualEngine engine = ManualEngine.with(payment())) {
      // docs:start
      StartRequest request = StartRequest.of("payment", 990).externalId("invoice 17");
      long first = engine.client().start(request).id();
      long second = engine.client().start(request).id();
      // docs:end
      engine.runUntilIdle();
      assertThat(second).isEqualTo(first);
      assertThat(payments.calls).isEqualTo(1);
    }
  }
}
