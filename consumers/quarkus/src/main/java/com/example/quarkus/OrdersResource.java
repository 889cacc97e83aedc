package com.example.quarkus;

import com.example.shop.Shop;
import io.millrace.Engine;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** The HTTP interface. */
@Path("/orders/{number}")
@Blocking
public class OrdersResource {

  private final Orders orders;
  private final Engine engine;

  OrdersResource(Orders orders, Engine engine) {
    this.orders = orders;
    this.engine = engine;
  }

  @GET
  public String state(@PathParam("number") String number) {
    return Shop.state(engine, number);
  }

  @POST
  public String place(@PathParam("number") String number) throws SQLException {
    orders.place(number);
    engine.poll();
    return Shop.state(engine, number);
  }

  @POST
  @Path("/payment")
  public String pay(@PathParam("number") String number) {
    Shop.pay(engine, number, 4200);
    return Shop.state(engine, number);
  }

  @ServerExceptionMapper
  Response refused(IllegalArgumentException refusal) {
    return Response.status(Response.Status.BAD_REQUEST).entity(refusal.getMessage()).build();
  }
}
