package com.example.modules;

import com.example.shop.ShopServer;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** A shop on the module path. */
public final class Main {

  private Main() {}

  public static void main(String[] args) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(System.getenv("DATABASE_URL"));
    config.setUsername(System.getenv("DATABASE_USER"));
    config.setPassword(System.getenv("DATABASE_PASSWORD"));
    ShopServer.run(new HikariDataSource(config), Integer.parseInt(System.getenv("PORT")));
  }
}
