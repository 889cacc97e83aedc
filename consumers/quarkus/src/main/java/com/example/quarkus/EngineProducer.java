package com.example.quarkus;

import com.example.shop.Shop;
import io.millrace.Engine;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.event.Observes;
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

  /** Closes the engine before Quarkus closes the pool, which it does before it destroys beans. */
  void close(@Observes ShutdownEvent event, Engine engine) {
    engine.close();
  }
}
