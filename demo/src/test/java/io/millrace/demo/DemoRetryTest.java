package io.millrace.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.demo.shop.Customers;
import io.millrace.demo.shop.DemoShop;
import io.millrace.demo.shop.OrderWorkflow;
import io.millrace.demo.shop.OrderWorkflow.State;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests that failures of the past can be repaired in the present. */
final class DemoRetryTest {

  private static final Instant NOW = DemoHistory.END.plus(Duration.ofMinutes(2));

  private static DemoHistory history;
  private static List<WorkflowInstance> failedAtTheGateway;
  private static List<WorkflowInstance> failedAtTheAddress;

  @BeforeAll
  static void replay() {
    history = DemoHistory.of(2);
    failedAtTheGateway = failed(State.CHARGE);
    failedAtTheAddress = failed(State.SHIP);
  }

  @AfterAll
  static void close() {
    history.close();
  }

  private static List<WorkflowInstance> failed(State state) {
    return history.all(
        InstanceQuery.all()
            .type(OrderWorkflow.TYPE)
            .state(state.name())
            .status(InstanceStatus.FAILED));
  }

  /** Applies actions to each order, and lets the shop continue for a quarter of an hour. */
  private static List<WorkflowInstance> afterwards(List<WorkflowInstance> orders, Actions actions) {
    VirtualTimeRunner time = new VirtualTimeRunner(NOW, NOW.plus(Duration.ofMinutes(15)));
    SqlStore store =
        SqlStore.open(history.pool, new SqlStore.Options(SchemaMode.CREATE, time.clock(), false));
    try (Engine engine =
        Engine.builder()
            .store(store)
            .workflows(new DemoShop(NOW, time).definitions())
            .settings(s -> s.lease(Duration.ofDays(4), Duration.ofDays(1)))
            .runtime(new EngineRuntime(time.clock(), time, new Random(1)))
            .start()) {
      orders.forEach(order -> actions.apply(engine.client(), order));
      time.run();
    }
    return orders.stream().map(order -> history.client().get(order.id())).toList();
  }

  @FunctionalInterface
  private interface Actions {
    void apply(WorkflowClient client, WorkflowInstance order);
  }

  private static void retry(WorkflowClient client, WorkflowInstance order) {
    client.retry(order.id(), OperatorAction.by("test"));
  }

  @Test
  void ordersThatFailedAtTheGatewayFinishWhenRetried() {
    List<WorkflowInstance> mended = afterwards(failedAtTheGateway, DemoRetryTest::retry);

    assertThat(mended).isNotEmpty().allMatch(o -> o.status() == InstanceStatus.FINISHED);
  }

  @Test
  void ordersWithABadAddressFailAgainUntilItIsCorrected() {
    List<WorkflowInstance> again = afterwards(failedAtTheAddress, DemoRetryTest::retry);
    List<WorkflowInstance> mended =
        afterwards(
            failedAtTheAddress,
            (client, order) -> {
              String address = Customers.corrected(String.valueOf(order.origin().externalId()));
              client.editVariables(
                  order.id(), Map.of(OrderWorkflow.ADDRESS, address), OperatorAction.by("test"));
              retry(client, order);
            });

    assertThat(again).isNotEmpty().allMatch(o -> o.status() == InstanceStatus.FAILED);
    assertThat(mended)
        .allMatch(o -> o.status() == InstanceStatus.FINISHED || o.state().equals("DELIVER"));
  }
}
