package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.TypeRef;
import io.millrace.definition.Next;
import io.millrace.definition.ReceivedSignal;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.testing.ManualEngine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Values can be read as types with arguments wherever values are read. */
class TypeRefValuesTest {

  record Order(String id, int count) {}

  private static final TypeRef<List<Order>> ORDERS = new TypeRef<>() {};
  private static final TypeRef<Map<String, Order>> BY_ID = new TypeRef<>() {};
  private static final List<Order> GIVEN = List.of(new Order("a", 1), new Order("b", 2));

  @Test
  void ofAnInputVariablesResultsCheckpointsAndSignals() {
    WorkflowDefinition definition =
        WorkflowDefinition.of("orders")
            .start("read", TypeRefValuesTest::read)
            .await("wait", "more", TypeRefValuesTest::more)
            .build();
    try (ManualEngine engine = ManualEngine.with(definition)) {
      long id = engine.client().start(StartRequest.of("orders", GIVEN)).id();
      engine.runUntilIdle();
      engine.client().signal(id, "more", GIVEN);
      engine.runUntilIdle();

      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
      assertThat(engine.client().input(id, ORDERS)).contains(GIVEN);
      assertThat(engine.client().variable(id, "byId", BY_ID))
          .contains(Map.of("a", GIVEN.get(0), "b", GIVEN.get(1)));
    }
  }

  private static Next read(StateContext ctx) throws Exception {
    List<Order> orders = ctx.input(ORDERS);
    assertThat(orders).isEqualTo(GIVEN);
    ctx.set("byId", Map.of("a", orders.get(0), "b", orders.get(1)));
    assertThat(ctx.get("byId", BY_ID)).containsValues(GIVEN.get(0), GIVEN.get(1));
    assertThat(ctx.find("none", BY_ID)).isEmpty();
    assertThat(ctx.once("ask", ORDERS, () -> orders)).isEqualTo(GIVEN);
    assertThat(ctx.onceResult("ask", ORDERS)).contains(GIVEN);
    ctx.checkpoint("seen", orders);
    return Next.moveTo("wait", "read");
  }

  private static Next more(StateContext ctx, Optional<ReceivedSignal> signal) {
    assertThat(signal.orElseThrow().payload(ORDERS)).isEqualTo(GIVEN);
    assertThat(ctx.lastCheckpoint("seen", ORDERS)).contains(GIVEN);
    return Next.done("more");
  }
}
