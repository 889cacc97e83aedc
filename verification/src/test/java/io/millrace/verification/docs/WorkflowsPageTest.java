package io.millrace.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.definition.DefinitionException;
import io.millrace.definition.Next;
import io.millrace.definition.ReceivedSignal;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.ChildCounts;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.retry.RetryPolicy;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The programs of {@code docs/workflows.md}, {@code docs/retries.md} and {@code
 * docs/easy-to-get-wrong.md}.
 */
class WorkflowsPageTest {

  private final List<String> effects = new ArrayList<>();
  private int failures;

  record Order(String number, int cents) {}

  // docs:order
  enum State {
    RESERVE,
    AWAIT_PAYMENT,
    SHIP,
    DONE,
    CANCELLED
  }

  WorkflowDefinition order() {
    return WorkflowDefinition.of("order", State.class)
        .start(State.RESERVE, this::reserve)
        .await(State.AWAIT_PAYMENT, "paid", Duration.ofHours(24), this::afterPayment)
        .state(State.SHIP, ctx -> Next.moveTo(State.DONE, "shipped"))
        .end(State.DONE)
        .end(State.CANCELLED)
        .permit(State.RESERVE, State.AWAIT_PAYMENT)
        .permit(State.AWAIT_PAYMENT, State.SHIP, State.CANCELLED)
        .permit(State.SHIP, State.DONE)
        .build();
  }

  // docs:end

  // docs:once
  Next reserve(StateContext ctx) throws Exception {
    Order order = ctx.input(Order.class);
    String receipt =
        ctx.once("reserve", String.class, () -> stock(order.number(), ctx.idempotencyKey()));
    ctx.set("receipt", receipt);
    return Next.moveTo(State.AWAIT_PAYMENT, "stock reserved as " + receipt);
  }

  // docs:end

  // docs:signal
  Next afterPayment(StateContext ctx, Optional<ReceivedSignal> paid) {
    if (paid.isEmpty()) {
      return Next.moveTo(State.CANCELLED, "not paid within a day");
    }
    ctx.set("paid", paid.get().payload(Integer.class));
    return Next.moveTo(State.SHIP, "paid");
  }

  // docs:end

  private String stock(String number, String key) {
    effects.add("reserve " + number + " under " + key);
    return "R-" + number;
  }

  @Test
  void anOrderIsPaidAndShipped() {
    try (ManualEngine engine = ManualEngine.with(order())) {
      long id = engine.client().start(StartRequest.of("order", new Order("A-17", 4200))).id();
      engine.runUntilIdle();
      // docs:send
      engine.client().signal(id, "paid", 4200);
      // docs:end
      engine.runUntilIdle();
      assertThat(engine.client().get(id).state()).isEqualTo("DONE");
      assertThat(engine.client().variable(id, "receipt", String.class)).contains("R-A-17");
      assertThat(engine.client().variable(id, "paid", Integer.class)).contains(4200);
      assertThat(effects).containsExactly("reserve A-17 under " + id + "-0");
    }
  }

  @Test
  void anUnpaidOrderIsCancelled() {
    try (ManualEngine engine = ManualEngine.with(order())) {
      long id = engine.client().start(StartRequest.of("order", new Order("A-17", 4200))).id();
      engine.advance(Duration.ofHours(25));
      assertThat(engine.client().get(id).state()).isEqualTo("CANCELLED");
    }
  }

  @Test
  void aStepResultIsKeptOverFailedAttempts() {
    // docs:retry
    WorkflowDefinition charge =
        WorkflowDefinition.of("charge")
            .start(
                "charge",
                ctx -> {
                  ctx.once("card", () -> effects.add(ctx.idempotencyKey()));
                  failSometimes();
                  return Next.moveTo("charged", "charged in attempt " + ctx.attempt());
                })
            .end("charged")
            .state("refund", ctx -> Next.moveTo("refunded", "given back"))
            .end("refunded")
            .retry(
                RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5))
                    .maxAttempts(4)
                    .neverOn(IllegalArgumentException.class))
            .timeout("charge", Duration.ofSeconds(30))
            .onFailure("charge", "refund")
            .build();
    // docs:end
    try (ManualEngine engine = ManualEngine.with(charge)) {
      failures = 3;
      long good = engine.client().start(StartRequest.of("charge")).id();
      engine.advance(Duration.ofMinutes(1));
      assertThat(engine.client().get(good).state()).isEqualTo("charged");
      assertThat(engine.client().get(good).position().reason()).isEqualTo("charged in attempt 4");
      assertThat(effects).containsExactly(good + "-0");

      failures = 4;
      long bad = engine.client().start(StartRequest.of("charge")).id();
      engine.advance(Duration.ofMinutes(1));
      assertThat(engine.client().get(bad).state()).isEqualTo("refunded");
      assertThat(engine.client().history(bad).getFirst().type())
          .isEqualTo(HistoryEntryType.STATE_EXECUTION_FAILED);
    }
  }

  private void failSometimes() {
    if (failures-- > 0) {
      throw new IllegalStateException("the bank does not answer");
    }
  }

  @Test
  void childrenAreJoined() {
    // docs:children
    WorkflowDefinition invoice =
        WorkflowDefinition.of("invoice")
            .start("print", ctx -> Next.moveTo("printed", "page printed"))
            .end("printed")
            .build();
    WorkflowDefinition batch =
        WorkflowDefinition.of("batch")
            .start(
                "split",
                ctx -> {
                  for (int i = 1; i <= ctx.input(Integer.class); i++) {
                    ctx.spawn(StartRequest.of("invoice", i));
                  }
                  return Next.waitForChildren("join", "invoices are printed one by one");
                })
            .state(
                "join",
                ctx ->
                    ctx.children().failed() == 0
                        ? Next.done(ctx.children().total() + " invoices printed")
                        : Next.fail(ctx.children().failed() + " invoices failed"))
            .build();
    // docs:end
    try (ManualEngine engine = ManualEngine.with(invoice, batch)) {
      long id = engine.client().start(StartRequest.of("batch", 250)).id();
      engine.advance(Duration.ofMinutes(2));
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
      assertThat(engine.client().get(id).children()).isEqualTo(new ChildCounts(250, 0, 0));
      assertThat(engine.client().get(id).position().reason()).isEqualTo("250 invoices printed");
    }
  }

  @Test
  void aStartIsRepeatedWithoutHarm() {
    try (ManualEngine engine = ManualEngine.with(order())) {
      // docs:start
      StartRequest request =
          StartRequest.of("order", new Order("A-17", 4200))
              .externalId("A-17")
              .businessKey("customer-3")
              .priority(7)
              .after(Duration.ofMinutes(10));
      long first = engine.client().start(request).id();
      long again = engine.client().start(request).id();
      // docs:end
      assertThat(again).isEqualTo(first);
      assertThat(engine.runUntilIdle()).isZero();
    }
  }

  @Test
  void anUnreachableStateIsFoundWhenTheDefinitionIsBuilt() {
    assertThatThrownBy(() ->
            WorkflowDefinition.of("order")
                .start("a", ctx -> Next.moveTo("b", "on"))
                .end("b")
                .end("c")
                .permit("a", "b")
                .build())
        .isInstanceOf(DefinitionException.class)
        .hasMessageContaining("'c' cannot be reached");
  }

  @Test
  void anAnswerOutsideThePermittedTransitionsIsNotRetried() {
    WorkflowDefinition strict =
        WorkflowDefinition.of("strict")
            .start("a", ctx -> Next.moveTo("c", "wrong"))
            .state("b", ctx -> Next.moveTo("c", "right"))
            .end("c")
            .permit("a", "b")
            .build();
    try (ManualEngine engine = ManualEngine.with(strict)) {
      long id = engine.client().start(StartRequest.of("strict")).id();
      engine.runUntilIdle();
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FAILED);
      assertThat(engine.client().history(id)).hasSize(1);
    }
  }

  @Test
  void aFailedAttemptChangesNoVariable() {
    // docs:atomic
    WorkflowDefinition counter =
        WorkflowDefinition.of("counter")
            .start(
                "count",
                ctx -> {
                  int count = ctx.find("count", Integer.class).orElse(0) + 1;
                  ctx.set("count", count);
                  failSometimes();
                  return Next.done("counted to " + count);
                })
            .build();
    // docs:end
    try (ManualEngine engine = ManualEngine.with(counter)) {
      failures = 3;
      long id = engine.client().start(StartRequest.of("counter")).id();
      engine.advance(Duration.ofMinutes(1));
      assertThat(engine.client().variable(id, "count", Integer.class)).contains(1);
    }
  }

  @Test
  void anEffectOutsideOnceIsRepeatedWithEveryAttempt() {
    // docs:repeated
    WorkflowDefinition mail =
        WorkflowDefinition.of("mail")
            .start(
                "send",
                ctx -> {
                  effects.add("sent in every attempt");
                  ctx.once("mail", () -> effects.add("sent in the first one"));
                  failSometimes();
                  return Next.done("sent");
                })
            .build();
    // docs:end
    try (ManualEngine engine = ManualEngine.with(mail)) {
      failures = 2;
      engine.client().start(StartRequest.of("mail"));
      engine.advance(Duration.ofMinutes(1));
      assertThat(effects)
          .containsExactly(
              "sent in every attempt",
              "sent in the first one",
              "sent in every attempt",
              "sent in every attempt");
    }
  }

  @Test
  void aNewVersionLeavesRunningInstancesAlone() {
    // docs:version
    WorkflowDefinition first =
        WorkflowDefinition.of("letter")
            .start("write", ctx -> Next.moveAfter("send", Duration.ofDays(1), "written"))
            .state("send", ctx -> Next.done("sent by post"))
            .build();
    WorkflowDefinition second =
        WorkflowDefinition.of("letter")
            .version(2)
            .start("write", ctx -> Next.moveAfter("send", Duration.ofDays(1), "written"))
            .state("send", ctx -> Next.done("sent by mail"))
            .build();
    // docs:end
    try (ManualEngine engine = ManualEngine.with(first, second)) {
      long old = engine.client().start(StartRequest.of("letter").version(1)).id();
      long latest = engine.client().start(StartRequest.of("letter")).id();
      engine.advance(Duration.ofDays(2));
      assertThat(engine.client().get(old).position().reason()).isEqualTo("sent by post");
      assertThat(engine.client().get(latest).position().reason()).isEqualTo("sent by mail");
    }
  }
}
