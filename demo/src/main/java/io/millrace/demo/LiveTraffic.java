package io.millrace.demo;

import io.millrace.WorkflowClient;
import io.millrace.demo.shop.Customers;
import io.millrace.demo.shop.Order;
import io.millrace.demo.shop.OrderWorkflow;
import io.millrace.demo.shop.Stocktake;
import io.millrace.examples.report.RepositoryReports;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.MillraceException;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shop's activity in real time: an order every few seconds, most of them paid for soon, a
 * stocktake and a report now and then. It reads its state from the instances, so it continues after
 * any restart and does nothing twice.
 */
public final class LiveTraffic implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LiveTraffic.class);

  private static final Duration BETWEEN_ORDERS = Duration.ofSeconds(4);
  private static final Duration BETWEEN_STOCKTAKES = Duration.ofMinutes(10);
  private static final Duration BETWEEN_REPORTS = Duration.ofHours(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * Number of unpaid orders to read. Orders that are paid late have been overtaken by newer ones,
   * but by fewer than this.
   */
  private static final int UNPAID = 500;

  private static final int NEWEST = 20;
  private static final int MAX_NAME = 60;

  private final WorkflowClient client;
  private final EngineRuntime runtime;
  private final @Nullable RepositoryReports reports;
  private int lastNumber = HistoryReplay.FIRST_ORDER - 1;
  private @Nullable Instant nextStocktake;
  private @Nullable Instant nextReport;
  private @Nullable Loop loop;

  LiveTraffic(WorkflowClient client, EngineRuntime runtime, @Nullable RepositoryReports reports) {
    this.client = client;
    this.runtime = runtime;
    this.reports = reports;
  }

  /** Starts the traffic. */
  LiveTraffic start() {
    loop = runtime.runner().loop("demo-trickle", this::tick);
    return this;
  }

  private Duration tick() {
    try {
      round();
    } catch (MillraceException e) {
      LOG.warn("The demo skips a round of orders: {}", e.getMessage());
    }
    return BETWEEN_ORDERS;
  }

  /** Starts one more order, and whatever is due. */
  void round() {
    Instant now = runtime.clock().instant();
    payDue(now);
    client.start(Customers.request(Customers.nearby(nextNumber())));
    if (nextStocktake == null || !now.isBefore(nextStocktake)) {
      nextStocktake = now.plus(BETWEEN_STOCKTAKES);
      client.start(StartRequest.of(Stocktake.TYPE));
    }
    if (reports != null && (nextReport == null || !now.isBefore(nextReport))) {
      nextReport = now.plus(BETWEEN_REPORTS);
      reports.start(client);
    }
  }

  /**
   * Returns the next order number; ignores orders that others have started under names of their
   * own.
   */
  private int nextNumber() {
    InstanceQuery newest = InstanceQuery.all().type(OrderWorkflow.TYPE).limit(NEWEST);
    for (WorkflowInstance order : client.search(newest).items()) {
      lastNumber = Math.max(lastNumber, Customers.number(order.origin().externalId()));
    }
    return ++lastNumber;
  }

  private void payDue(Instant now) {
    InstanceQuery unpaid =
        InstanceQuery.all()
            .type(OrderWorkflow.TYPE)
            .state(OrderWorkflow.State.AWAIT_PAYMENT.name())
            .status(InstanceStatus.IN_PROGRESS)
            .limit(UNPAID);
    for (WorkflowInstance instance : client.search(unpaid).items()) {
      try {
        client
            .input(instance.id(), Order.class)
            .map(o -> Customers.placed(o, instance.origin().externalId(), instance.id()))
            .filter(order -> isDue(instance, order, now))
            .ifPresent(order -> pay(instance, order));
      } catch (StoreException e) {
        throw e;
      } catch (MillraceException e) {
        // Visitors start orders with any input; an invalid one must not stop the others.
        LOG.debug("The order of instance {} cannot be paid", instance.id(), e);
      }
    }
  }

  private static boolean isDue(WorkflowInstance instance, Order order, Instant now) {
    return Customers.paysAfter(order)
        .map(delay -> !instance.timing().created().plus(delay).isAfter(now))
        .orElse(false);
  }

  /** Pays an order at most once: the order's number is the key of its payment. */
  private void pay(WorkflowInstance instance, Order order) {
    try {
      client.signal(
          instance.id(),
          OrderWorkflow.PAID,
          Customers.payment(order),
          payer(order),
          order.number());
    } catch (ConflictException e) {
      LOG.debug("Order {} has ended before it was paid", order.number());
    }
  }

  /** Returns the customer's name, shortened to the maximum length of an actor's name. */
  private static String payer(Order order) {
    String customer = order.customer();
    if (customer.length() <= MAX_NAME) {
      return customer;
    }
    boolean inTwo = Character.isHighSurrogate(customer.charAt(MAX_NAME - 1));
    return customer.substring(0, inTwo ? MAX_NAME - 1 : MAX_NAME);
  }

  @Override
  public void close() {
    Loop running = loop;
    if (running != null) {
      running.stop(PATIENCE);
    }
  }
}
