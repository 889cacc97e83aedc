package io.millrace.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.demo.shop.Customers;
import io.millrace.demo.shop.DemoShop;
import io.millrace.demo.shop.Order;
import io.millrace.demo.shop.OrderWorkflow;
import io.millrace.demo.shop.Stocktake;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the shop's live traffic, on a settable clock. */
@Tag("server")
final class LiveTrafficTest {

  private static final Instant BEGIN = Instant.parse("2026-06-17T13:20:31Z");
  private static final Instant MIDDLE = BEGIN.plus(Duration.ofMinutes(30));
  private static final Instant END = BEGIN.plus(Duration.ofMinutes(60));

  private final VirtualTimeRunner time = new VirtualTimeRunner(BEGIN, END);
  private final EngineRuntime runtime = new EngineRuntime(time.clock(), time, new Random(1));

  private Engine engine() {
    return Engine.builder()
        .store(new MemoryStore(time.clock()))
        .workflows(new DemoShop(BEGIN, time).definitions())
        .settings(s -> s.lease(Duration.ofDays(4), Duration.ofDays(1)))
        .runtime(runtime)
        .start();
  }

  private static List<WorkflowInstance> find(Engine engine, String type) {
    return engine.client().search(InstanceQuery.all().type(type).limit(1000)).items();
  }

  @Test
  void ordersComeArePaidForAndFinishWithinMinutes() {
    try (Engine engine = engine();
        LiveTraffic liveTraffic = new LiveTraffic(engine.client(), runtime, null).start()) {
      time.run();

      List<WorkflowInstance> orders = find(engine, OrderWorkflow.TYPE);
      assertThat(orders).hasSizeBetween(850, 950);
      assertThat(orders.stream().filter(o -> o.status() == InstanceStatus.FINISHED).count())
          .isGreaterThan(700);
      assertThat(orders.stream().filter(o -> o.status() == InstanceStatus.FAILED).count())
          .isBetween(15L, 45L);
      assertThat(find(engine, Stocktake.TYPE)).hasSize(6);
      assertThat(liveTraffic).isNotNull();
    }
  }

  /** The name is longer than an actor's name may be; the page starts orders with any input. */
  @Test
  void anOrderWithALongCustomerNameDoesNotStopTheTraffic() {
    Order usual = Customers.nearby(7);
    Order odd =
        new Order(
            usual.number(),
            "Ada ".repeat(60),
            usual.item(),
            usual.quantity(),
            usual.cents(),
            usual.address(),
            usual.delivery());
    try (Engine engine = engine();
        LiveTraffic liveTraffic = new LiveTraffic(engine.client(), runtime, null).start()) {
      engine.client().start(StartRequest.of(OrderWorkflow.TYPE, odd).externalId("odd"));
      time.run();
      assertThat(find(engine, OrderWorkflow.TYPE)).hasSizeGreaterThan(850);
      assertThat(liveTraffic).isNotNull();
    }
  }

  @Test
  void goesOnAfterARestartWithoutDoingAnythingTwice() {
    try (Engine engine = engine()) {
      LiveTraffic first = new LiveTraffic(engine.client(), runtime, null).start();
      time.at(MIDDLE, first::close);
      time.at(MIDDLE, () -> engine.client().start(StartRequest.of(OrderWorkflow.TYPE, "odd")));
      time.at(MIDDLE, () -> new LiveTraffic(engine.client(), runtime, null).start());
      time.run();

      List<String> numbers =
          find(engine, OrderWorkflow.TYPE).stream()
              .map(order -> order.origin().externalId())
              .filter(Objects::nonNull)
              .toList();
      assertThat(numbers).doesNotHaveDuplicates().hasSizeBetween(850, 950);
      assertThat(numbers.getFirst())
          .isEqualTo("M-" + (HistoryReplay.FIRST_ORDER + numbers.size() - 1));
    }
  }
}
