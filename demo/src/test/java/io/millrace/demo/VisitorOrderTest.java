package io.millrace.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.demo.shop.Customers;
import io.millrace.demo.shop.DemoShop;
import io.millrace.demo.shop.Order;
import io.millrace.demo.shop.OrderWorkflow;
import io.millrace.demo.shop.OrderWorkflow.State;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that an order started by a visitor of the demo ends within a minute. */
final class VisitorOrderTest {

  private static final Instant BEGIN = Instant.parse("2026-06-17T13:20:31Z");
  private static final Instant STARTED = BEGIN.plusSeconds(3);
  private static final Instant END = STARTED.plus(Duration.ofMinutes(1));
  private static final int LAST_ORDER = HistoryReplay.FIRST_ORDER + 200;
  private static final int AT_ONCE = 20;

  /** Returns the orders a minute after their start; the shop processes one at a time here. */
  private static List<WorkflowInstance> aMinuteAfter(List<StartRequest> starts) {
    VirtualTimeRunner time = new VirtualTimeRunner(BEGIN, END);
    EngineRuntime runtime = new EngineRuntime(time.clock(), time, new Random(1));
    List<Long> ids = new ArrayList<>();
    try (Engine engine =
            Engine.builder()
                .store(new MemoryStore(time.clock()))
                .workflows(new DemoShop(BEGIN, time).definitions())
                .settings(s -> s.lease(Duration.ofDays(4), Duration.ofDays(1)))
                .runtime(runtime)
                .start();
        LiveTraffic liveTraffic = new LiveTraffic(engine.client(), runtime, null).start()) {
      starts.forEach(start -> time.at(STARTED, () -> ids.add(engine.client().start(start).id())));
      time.run();
      assertThat(liveTraffic).isNotNull();
      return ids.stream().map(engine.client()::get).toList();
    }
  }

  private static StartRequest start(Object input) {
    return StartRequest.of(OrderWorkflow.TYPE, input);
  }

  private static Order like(Order order, String item, int quantity, int cents, String address) {
    return new Order(
        order.number(), order.customer(), item, quantity, cents, address, order.delivery());
  }

  private static void assertDelivered(List<WorkflowInstance> orders) {
    assertThat(orders)
        .isNotEmpty()
        .allSatisfy(order -> {
          assertThat(order.status()).isEqualTo(InstanceStatus.FINISHED);
          assertThat(order.state()).isEqualTo(State.DELIVERED.name());
        });
  }

  /** These orders include every problem that an order of a simulated customer can have. */
  @Test
  void aCopyOfAnyOrderIsDelivered() {
    for (int first = HistoryReplay.FIRST_ORDER; first < LAST_ORDER; first += AT_ONCE) {
      assertDelivered(
          aMinuteAfter(
              IntStream.range(first, first + AT_ONCE)
                  .mapToObj(number -> start(Customers.order(number)).externalId("my " + number))
                  .toList()));
    }
  }

  @Test
  void aLargeOrderAndOneWithAnOddAddressAreDelivered() {
    Order usual = Customers.order(HistoryReplay.FIRST_ORDER);
    assertDelivered(
        aMinuteAfter(
            List.of(
                start(like(usual, "copper pot", 4, 75_600, usual.address())),
                start(like(usual, "kettle", 1, 5_490, "the blue house at the canal")),
                start(like(usual, "kettle", -3, 5_490, "")).variable("address", "my office"))));
  }

  @Test
  void whatIsLeftOutOfTheInputIsFilledIn() {
    assertDelivered(
        aMinuteAfter(
            List.of(
                start(Map.of()),
                start(Map.of("customer", "Zoë", "delivery", Map.of())),
                start(Map.of("number", " ", "customer", " ", "item", "bread tin")))));
  }

  /**
   * The customer's name becomes an actor's name, which is shorter; it must not be cut inside a
   * character.
   */
  @Test
  void anOrderOfACustomerWithALongNameIsPaidFor() {
    assertDelivered(aMinuteAfter(List.of(start(Map.of("customer", "x".repeat(59) + "😀 Smith")))));
  }

  @Test
  void whatTheShopCannotSellIsCancelledAtOnceWithTheReason() {
    Order usual = Customers.order(HistoryReplay.FIRST_ORDER);
    List<WorkflowInstance> orders =
        aMinuteAfter(
            List.of(
                start(like(usual, "flux capacitor", 1, 100, usual.address())),
                start(like(usual, "copper pot", 1_000, 100, usual.address()))));

    assertThat(orders).allMatch(order -> order.state().equals(State.CANCELLED.name()));
    assertThat(orders.getFirst().position().reason())
        .contains("sells no 'flux capacitor'", "teapot");
    assertThat(orders.getLast().position().reason()).isEqualTo("copper pot is sold out");
  }
}
