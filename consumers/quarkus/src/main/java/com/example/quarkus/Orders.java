package com.example.quarkus;

import com.example.shop.Shop;
import io.millrace.Engine;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Writes orders together with the starts of their workflows. */
@Singleton
public class Orders {

  private final DataSource database;
  private final Engine engine;

  Orders(DataSource database, Engine engine) {
    this.database = database;
    this.engine = engine;
  }

  @Transactional
  public void place(String number) throws SQLException {
    try (Connection transaction = database.getConnection()) {
      Shop.place(transaction, engine, number);
    }
  }
}
