package io.millrace.verification.fault;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * An engine process of which one handler ends the process. Arguments: the database's URL, and
 * whether the engine stops in an orderly way when the process ends.
 */
public final class ExitingProcess {

  static final int EXIT_CODE = 3;
  static final int MAX_DEATHS = 3;

  /** Line that the process prints before its end. */
  static final String BEGIN = "BEGIN exit";

  private ExitingProcess() {}

  /** Returns a workflow that ends the process that runs it. */
  static WorkflowDefinition deadly() {
    return WorkflowDefinition.of("deadly")
        .start(
            "exit",
            ctx -> {
              System.out.println(BEGIN);
              System.exit(EXIT_CODE);
              return Next.done("never");
            })
        .build();
  }

  static WorkflowDefinition harmless() {
    return WorkflowDefinition.of("harmless").start("work", ctx -> Next.done("done")).build();
  }

  public static void main(String[] args) throws InterruptedException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setMaximumPoolSize(6);
    EngineBuilder builder =
        Engine.builder()
            .dataSource(new HikariDataSource(config))
            .workflows(deadly(), harmless())
            .settings(s ->
                s.lease(Duration.ofSeconds(3), Duration.ofMillis(500)).maxRecoveries(MAX_DEATHS));
    Engine engine = (Boolean.parseBoolean(args[1]) ? builder.stopWithJvm() : builder).start();
    System.out.println("READY " + engine.executorId());
    new CountDownLatch(1).await();
  }
}
