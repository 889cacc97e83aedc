package io.millrace.examples.order;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.examples.order.OrderProcess.Order;
import io.millrace.examples.order.OrderProcess.Payment;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.retry.RetryPolicy;
import java.io.PrintStream;
import java.time.Duration;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;

/**
 * A program with three orders: one is sent at the second attempt, one is never paid, one cannot be
 * delivered.
 */
public final class OrderMain {

  private static final Duration PATIENCE = Duration.ofMillis(300); // a real shop waits 24 hours
  private static final RetryPolicy RETRY = RetryPolicy.fixed(Duration.ofMillis(50)).maxAttempts(3);

  private OrderMain() {}

  public static void main(String[] args) {
    run(System.out);
  }

  static void run(PrintStream out) {
    JdbcConnectionPool database =
        JdbcConnectionPool.create("jdbc:h2:mem:orders;DB_CLOSE_DELAY=-1", "", "");
    OrderProcess process = new OrderProcess(new PrintingOrderServices(out), PATIENCE, RETRY);
    try (Engine engine =
        Engine.builder().dataSource(database).workflows(process.definition()).start()) {
      order(engine.client(), out, new Order("A-1", "teapot", 2), new Payment(4200));
      order(engine.client(), out, new Order("A-2", "saucer", 6), null);
      order(engine.client(), out, new Order("A-3", "anvil", 1), new Payment(9900));
    } finally {
      database.dispose();
    }
  }

  private static void order(
      WorkflowClient client, PrintStream out, Order order, @Nullable Payment payment) {
    long id = client.start(StartRequest.of(OrderProcess.TYPE, order).externalId(order.id())).id();
    if (payment != null) {
      client.signal(id, OrderProcess.PAID, payment);
    }
    WorkflowInstance ended = client.await(id, Duration.ofMinutes(1));
    out.println(order.id() + " is " + ended.state() + ": " + ended.position().reason());
  }
}
