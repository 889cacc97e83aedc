package com.example.shop;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.ReceivedSignal;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/**
 * A shop whose orders are workflows: the goods are reserved, then the customer pays, then the order
 * is shipped. Its tables have no unique keys, so that a row that is written twice stays visible.
 */
public final class Shop {

  /** The states of an order. */
  public enum Step {
    RESERVE,
    AWAIT_PAYMENT,
    SHIP,
    DONE
  }

  private final DataSource database;

  /**
   * Creates the shop.
   *
   * @param database gives the handlers a connection that commits by itself
   */
  public Shop(DataSource database) {
    this.database = database;
  }

  /** Starts an engine that runs the orders; a short lease lets it recover soon after a crash. */
  public Engine startEngine() {
    return Engine.builder()
        .dataSource(database)
        .workflows(workflow())
        .settings(
            settings ->
                settings
                    .executorGroup("shop")
                    .concurrency(4)
                    .lease(Duration.ofSeconds(4), Duration.ofSeconds(1)))
        .start();
  }

  /** Returns the workflow of an order. */
  public WorkflowDefinition workflow() {
    return WorkflowDefinition.of("order", Step.class)
        .start(Step.RESERVE, this::reserve)
        .await(Step.AWAIT_PAYMENT, "paid", Duration.ofHours(24), this::afterPayment)
        .state(Step.SHIP, this::ship)
        .end(Step.DONE)
        .build();
  }

  private Next reserve(StateContext ctx) throws Exception {
    Order order = ctx.input(Order.class);
    ctx.once("reserve", () -> insert("reservation", order.number()));
    ctx.set("deliverOn", order.deliverOn());
    return Next.moveTo(Step.AWAIT_PAYMENT, order.parcels() + " parcels are reserved");
  }

  private Next afterPayment(StateContext ctx, Optional<ReceivedSignal> paid) {
    return Next.moveTo(Step.SHIP, "paid " + paid.orElseThrow().payload(Integer.class));
  }

  /** The courier of the first attempt never arrives: the process is killed while it waits. */
  private Next ship(StateContext ctx) throws Exception {
    String number = ctx.input(Order.class).number();
    if (ctx.attempt() == 1) {
      System.out.println("The courier is called for order " + number);
      new CountDownLatch(1).await();
    }
    insert("shipment", number);
    return Next.moveTo(Step.DONE, "shipped");
  }

  private void insert(String table, String number) throws SQLException {
    try (Connection connection = database.getConnection()) {
      insert(connection, table, number);
    }
  }

  private static void insert(Connection connection, String table, String number)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO " + table + " VALUES (?)")) {
      insert.setString(1, number);
      insert.executeUpdate();
    }
  }

  /**
   * Writes an order and starts its workflow in the caller's transaction.
   *
   * @throws IllegalArgumentException for a number that begins with "bad", after all that is written
   */
  public static void place(Connection transaction, Engine engine, String number)
      throws SQLException {
    insert(transaction, "customer_order", number);
    StartRequest request = StartRequest.of("order", Order.of(number)).externalId(number);
    engine.client().start(transaction, request);
    if (number.startsWith("bad")) {
      throw new IllegalArgumentException("There is no order " + number);
    }
  }

  /** Tells the workflow of an order that it was paid. */
  public static void pay(Engine engine, String number, int cents) {
    engine.client().signal(find(engine, number).orElseThrow().id(), "paid", cents);
  }

  /** Returns the state of an order's workflow, or "none". */
  public static String state(Engine engine, String number) {
    return find(engine, number).map(WorkflowInstance::state).orElse("none");
  }

  private static Optional<WorkflowInstance> find(Engine engine, String number) {
    InstanceQuery query = InstanceQuery.all().type("order").externalId(number);
    return engine.client().search(query).items().stream().findFirst();
  }
}
