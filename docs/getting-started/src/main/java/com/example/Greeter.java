package com.example;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import java.time.Duration;

/** Starts one workflow, and waits for its end. */
public class Greeter {

  static final WorkflowDefinition GREETING =
      WorkflowDefinition.of("greeting")
          .start("greet", ctx -> Next.done("hello " + ctx.input(String.class)))
          .build();

  public static void main(String[] args) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args.length > 0 ? args[0] : "jdbc:h2:./greeter");
    config.setMaximumPoolSize(12);
    try (HikariDataSource pool = new HikariDataSource(config);
        Engine engine =
            Engine.builder()
                .dataSource(pool)
                .workflows(GREETING)
                .settings(settings -> settings.executorGroup("greeters").concurrency(8))
                .start()) {
      long id = engine.client().start(StartRequest.of("greeting", "Ada")).id();
      System.out.println(engine.client().await(id, Duration.ofMinutes(1)).position().reason());
    }
  }
}
