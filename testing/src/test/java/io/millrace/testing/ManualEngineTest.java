package io.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StatusReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManualEngineTest {

  private final List<String> log = new ArrayList<>();

  private final WorkflowDefinition order =
      WorkflowDefinition.of("order")
          .start(
              "reserve",
              ctx -> {
                log.add("reserve");
                return Next.moveTo("pay", "reserved");
              })
          .await(
              "pay",
              "paid",
              Duration.ofHours(24),
              (ctx, paid) -> {
                log.add("pay " + paid.map(p -> p.payload(Integer.class)));
                return paid.isPresent()
                    ? Next.moveTo("shipped", "paid")
                    : Next.moveTo("cancelled", "not paid");
              })
          .end("shipped")
          .end("cancelled")
          .build();

  @Test
  void runsChainsUntilSomethingMustBeAwaited() {
    try (ManualEngine engine = ManualEngine.with(order)) {
      long id = engine.client().start(StartRequest.of("order")).id();
      assertThat(engine.runUntilIdle()).isEqualTo(1);
      assertThat(log).containsExactly("reserve");
      assertThat(engine.client().get(id).state()).isEqualTo("pay");
      assertThat(engine.client().statusReason(id))
          .isEqualTo(
              new StatusReason.WaitingForSignal(
                  "paid", ManualEngine.START.plus(Duration.ofHours(24))));
    }
  }

  @Test
  void aSignalEndsTheWait() {
    try (ManualEngine engine = ManualEngine.with(order)) {
      long id = engine.client().start(StartRequest.of("order")).id();
      engine.runUntilIdle();
      engine.client().signal(id, "paid", 42);
      engine.runUntilIdle();
      assertThat(log).containsExactly("reserve", "pay Optional[42]");
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
    }
  }

  @Test
  void timersFireAtTheirTime() {
    try (ManualEngine engine = ManualEngine.with(order)) {
      long id = engine.client().start(StartRequest.of("order")).id();
      engine.advance(Duration.ofHours(23));
      assertThat(engine.client().get(id).state()).isEqualTo("pay");
      engine.advance(Duration.ofHours(2));
      assertThat(engine.client().get(id).state()).isEqualTo("cancelled");
      assertThat(engine.client().history(id).getLast().span().ended())
          .isBetween(
              ManualEngine.START.plus(Duration.ofHours(24)),
              ManualEngine.START.plus(Duration.ofHours(24)).plusSeconds(60));
    }
  }

  @Test
  void whatADeadExecutorHeldIsRecoveredAfterItsLease() {
    try (ManualEngine engine = ManualEngine.with(order)) {
      long id = engine.client().start(StartRequest.of("order")).id();
      engine.killExecutor();
      engine.runUntilIdle();
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.EXECUTING);
      engine.advance(engine.leaseTime());
      assertThat(engine.client().get(id).state()).isEqualTo("pay");
      assertThat(log).containsExactly("reserve");
    }
  }
}
