package com.example.boot;

import com.example.shop.Shop;
import io.millrace.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.datasource.DataSourceUtils;
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

  /** Starts the engine when Flyway is done; it is closed before the pool. */
  @Bean
  @DependsOnDatabaseInitialization
  Engine engine(DataSource database) {
    return new Shop(database).startEngine();
  }

  /** Writes orders together with the starts of their workflows. */
  @Service
  static class Orders {

    private final DataSource database;
    private final Engine engine;

    Orders(DataSource database, Engine engine) {
      this.database = database;
      this.engine = engine;
    }

    @Transactional
    public void place(String number) throws SQLException {
      Connection transaction = DataSourceUtils.getConnection(database);
      try {
        Shop.place(transaction, engine, number);
      } finally {
        DataSourceUtils.releaseConnection(transaction, database);
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
    String place(@PathVariable("number") String number) throws SQLException {
      orders.place(number);
      engine.poll();
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
