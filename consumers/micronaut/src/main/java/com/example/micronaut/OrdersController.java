package com.example.micronaut;

import com.example.shop.Shop;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.millrace.Engine;
import java.sql.SQLException;

/** The HTTP interface. */
@Controller("/orders/{number}")
@Produces(MediaType.TEXT_PLAIN)
@ExecuteOn(TaskExecutors.BLOCKING)
public class OrdersController {

  private final Orders orders;
  private final Engine engine;

  OrdersController(Orders orders, Engine engine) {
    this.orders = orders;
    this.engine = engine;
  }

  @Get
  String state(String number) {
    return Shop.state(engine, number);
  }

  @Post
  String place(String number) throws SQLException {
    orders.place(number);
    engine.poll();
    return Shop.state(engine, number);
  }

  @Post("/payment")
  String pay(String number) {
    Shop.pay(engine, number, 4200);
    return Shop.state(engine, number);
  }

  @Error
  HttpResponse<String> refused(IllegalArgumentException refusal) {
    return HttpResponse.badRequest(refusal.getMessage());
  }
}
