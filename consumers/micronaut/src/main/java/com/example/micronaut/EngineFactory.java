package com.example.micronaut;

import com.example.shop.Shop;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.millrace.Engine;
import javax.sql.DataSource;

/** Gives the application its engine. */
@Factory
public class EngineFactory {

  /**
   * Starts the engine on the pool itself: the data source that Micronaut injects has connections
   * only inside a transaction of Micronaut.
   */
  @Context
  @Bean(preDestroy = "close")
  Engine engine(DataSource database) {
    return new Shop(DelegatingDataSource.unwrapDataSource(database)).startEngine();
  }
}
