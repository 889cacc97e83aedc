package com.example.quarkus;

import com.example.shop.Shop;
import io.millrace.Engine;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import javax.sql.DataSource;

/** Gives the application its engine, on the pool of Agroal. */
@Singleton
public class EngineProducer {

  @Produces
  @Singleton
  @Startup
  Engine engine(DataSource database) {
    return new Shop(database).startEngine();
  }

  void close(@Disposes Engine engine) {
    engine.close();
  }
}
