package io.millrace.verification.process;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * An engine process at default settings that works on more instances than fit into its memory.
 * Regularly prints how much of its heap is in use. Argument: the database's URL.
 */
public final class BacklogProcess {

  private static final int MEGABYTE = 1 << 20;

  private BacklogProcess() {}

  static WorkflowDefinition definition() {
    return WorkflowDefinition.of("backlog").start("work", ctx -> Next.done("done")).build();
  }

  public static void main(String[] args) throws InterruptedException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    Engine engine =
        Engine.builder()
            .dataSource(new HikariDataSource(config))
            .workflows(definition())
            .stopWithJvm()
            .start();
    System.out.println("READY " + engine.executorId());
    while (true) {
      TimeUnit.SECONDS.sleep(1);
      long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      System.out.println("HEAP " + used / MEGABYTE);
    }
  }
}
