package com.example;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.ReceivedSignal;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** Two orders: one for later, and one that comes into being with a row of a table. */
public class Orders {

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

  Next reserve(StateContext ctx) {
    return Next.moveTo(State.AWAIT_PAYMENT, ctx.input(Order.class).number() + " is put aside");
  }

  Next afterPayment(StateContext ctx, Optional<ReceivedSignal> paid) {
    return paid.isPresent()
        ? Next.moveTo(State.SHIP, "paid")
        : Next.moveTo(State.CANCELLED, "not paid within a day");
  }

  record Order(String number, int cents) {}

  // docs:end

  long startTwice(Engine engine) {
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
    return again - first;
  }

  long startWithARow(DataSource pool, Engine engine) throws SQLException {
    long id;
    // docs:transaction
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE IF NOT EXISTS orders (number varchar(20))");
        statement.execute("INSERT INTO orders VALUES ('A-18')");
      }
      StartRequest request = StartRequest.of("order", new Order("A-18", 990)).externalId("A-18");
      id = engine.client().start(connection, request).id();
      connection.commit();
    }
    engine.poll();
    // docs:end
    return id;
  }

  public static void main(String[] args) throws SQLException {
    String url = args.length > 0 ? args[0] : "jdbc:h2:./orders";
    // docs:pool
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(12);
    // docs:end
    Orders orders = new Orders();
    try (HikariDataSource pool = new HikariDataSource(config);
        Engine engine = Engine.builder().dataSource(pool).workflows(orders.order()).start()) {
      System.out.println("the second start made " + orders.startTwice(engine) + " more");
      long id = orders.startWithARow(pool, engine);
      engine.client().signal(id, "paid", 990);
      System.out.println(engine.client().await(id, Duration.ofMinutes(1)).position().reason());
    }
  }
}
