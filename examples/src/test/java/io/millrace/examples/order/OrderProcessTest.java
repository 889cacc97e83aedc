package io.millrace.examples.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.examples.order.OrderProcess.Order;
import io.millrace.examples.order.OrderProcess.Payment;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StatusReason;
import io.millrace.instance.WorkflowInstance;
import io.millrace.retry.RetryPolicy;
import io.millrace.testing.ManualEngine;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OrderProcessTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
  private final ManualEngine engine =
      ManualEngine.with(
          new OrderProcess(
                  new PrintingOrderServices(out),
                  Duration.ofHours(24),
                  RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1)))
              .definition());

  @AfterEach
  void close() {
    engine.close();
  }

  private long start(String item) {
    long id = engine.client().start(StartRequest.of("order", new Order("A-1", item, 2))).id();
    engine.runUntilIdle();
    return id;
  }

  private WorkflowInstance get(long id) {
    return engine.client().get(id);
  }

  private List<String> written() {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void aPaidOrderIsSentAtTheSecondAttempt() {
    long id = start("teapot");
    engine.client().signal(id, "paid", new Payment(4200));
    engine.runUntilIdle();
    assertThat(engine.client().statusReason(id)).isInstanceOf(StatusReason.BackingOff.class);
    engine.advance(Duration.ofSeconds(2));
    assertThat(get(id).state()).isEqualTo("SHIPPED");
    assertThat(get(id).status()).isEqualTo(InstanceStatus.FINISHED);
    assertThat(written())
        .containsExactly(
            "A-1 2 x teapot put aside",
            "A-1 4200 cents charged",
            "A-1 the carrier is busy",
            "A-1 handed to the carrier");
  }

  @Test
  void anOrderThatIsNotPaidInADayIsCancelled() {
    long id = start("saucer");
    engine.advance(Duration.ofHours(23));
    assertThat(get(id).state()).isEqualTo("AWAIT_PAYMENT");
    assertThat(engine.client().statusReason(id)).isInstanceOf(StatusReason.WaitingForSignal.class);
    engine.advance(Duration.ofHours(1));
    assertThat(get(id).state()).isEqualTo("CANCELLED");
    assertThat(written()).containsExactly("A-1 2 x saucer put aside", "A-1 2 x saucer put back");
  }

  @Test
  void anOrderThatCannotBeSentIsUndone() {
    long id = start("anvil");
    engine.client().signal(id, "paid", new Payment(9900));
    engine.runUntilIdle();
    assertThat(get(id).state()).isEqualTo("CANCELLED");
    assertThat(written())
        .containsExactly(
            "A-1 2 x anvil put aside",
            "A-1 9900 cents charged",
            "A-1 the carrier refuses an anvil",
            "A-1 R-A-1 refunded",
            "A-1 2 x anvil put back");
  }
}
