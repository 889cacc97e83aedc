package com.example.boot;

import com.example.shop.Order;
import com.example.shop.Shop;
import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** A shop in an application of Spring Boot, with its pool, its Flyway and its transactions. */
@SpringBootApplication
public class BootShop {

  public static void main(String[] args) {
    SpringApplication.run(BootShop.class, args);
  }

  @Bean
  WorkflowDefinition order(DataSource database) {
    return new Shop(database).workflow();
  }

  /** Writes orders together with the starts of their workflows. */
  @Service
  static class Orders {

    private final JdbcTemplate jdbc;
    private final WorkflowClient client;

    Orders(JdbcTemplate jdbc, WorkflowClient client) {
      this.jdbc = jdbc;
      this.client = client;
    }

    @Transactional
    public void place(String number) {
      jdbc.update("INSERT INTO customer_order VALUES (?)", number);
      client.start(StartRequest.of("order", Order.of(number)).externalId(number));
      if (number.startsWith("bad")) {
        throw new IllegalArgumentException("There is no order " + number);
      }
    }
  }

  /** The HTTP interface. */
  @RestController
  static class OrdersController {

    private final Orders orders;
    private final Engine engine;

    OrdersController(Orders orders, Engine engine) {
      this.orders = orders;
      this.engine = engine;
    }

    @GetMapping("/orders/{number}")
    String state(@PathVariable("number") String number) {
      return Shop.state(engine, number);
    }

    @PostMapping("/orders/{number}")
    String place(@PathVariable("number") String number) {
      orders.place(number);
      return Shop.state(engine, number);
    }

    @PostMapping("/orders/{number}/payment")
    String pay(@PathVariable("number") String number) {
      Shop.pay(engine, number, 4200);
      return Shop.state(engine, number);
    }

    @ExceptionHandler(IllegalArgumentException.class)
    @ResponseStatus(HttpStatus.BAD_REQUEST)
    String refused(IllegalArgumentException refusal) {
      return refusal.getMessage();
    }
  }
}
