package com.example.micronaut;

import com.example.shop.Shop;
import io.micronaut.transaction.annotation.Transactional;
import io.millrace.Engine;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;

/** Writes orders together with the starts of their workflows. */
@Singleton
public class Orders {

  private final Connection transaction;
  private final Engine engine;

  Orders(Connection transaction, Engine engine) {
    this.transaction = transaction;
    this.engine = engine;
  }

  @Transactional
  public void place(String number) throws SQLException {
    Shop.place(transaction, engine, number);
  }
}
