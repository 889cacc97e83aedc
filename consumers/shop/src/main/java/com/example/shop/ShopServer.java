package com.example.shop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.Engine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** The HTTP interface of the consumers that have no framework. */
public final class ShopServer {

  private static final List<String> TABLES = List.of("customer_order", "reservation", "shipment");

  private final DataSource database;
  private final Engine engine;

  private ShopServer(DataSource database, Engine engine) {
    this.database = database;
    this.engine = engine;
  }

  /**
   * Creates the shop's tables, starts an engine and answers requests until the process ends.
   *
   * @param database a pool
   */
  public static void run(DataSource database, int port) throws IOException, SQLException {
    createTables(database);
    Engine engine = new Shop(database).startEngine();
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    http.createContext("/orders/", new ShopServer(database, engine)::answer);
    http.start();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  http.stop(0);
                  engine.close();
                }));
  }

  private static void createTables(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      for (String table : TABLES) {
        statement.execute("CREATE TABLE IF NOT EXISTS " + table + " (number varchar(40))");
      }
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    int status = 200;
    String text;
    try {
      String[] path = exchange.getRequestURI().getPath().split("/");
      text = answer(exchange.getRequestMethod() + path.length, path[2]);
    } catch (SQLException | RuntimeException e) {
      status = 400;
      text = String.valueOf(e.getMessage());
    }
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private String answer(String request, String number) throws SQLException {
    switch (request) {
      case "GET3" -> {}
      case "POST3" -> place(number);
      case "POST4" -> Shop.pay(engine, number, 4200);
      default -> throw new IllegalArgumentException("Unknown request: " + request);
    }
    return Shop.state(engine, number);
  }

  private void place(String number) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        Shop.place(connection, engine, number);
        connection.commit();
      } catch (SQLException | RuntimeException e) {
        connection.rollback();
        throw e;
      }
    }
    engine.poll();
  }
}
