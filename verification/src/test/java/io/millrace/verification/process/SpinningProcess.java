package io.millrace.verification.process;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.definition.WorkflowDefinitionBuilder;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;

/**
 * An engine whose virtual threads have two processors, and whose handlers of type "spin" compute
 * until a line of input tells them to stop. Arguments: the database's URL, and {@code computing} if
 * that type is declared so.
 */
public final class SpinningProcess {

  static final Duration TIMEOUT = Duration.ofSeconds(2);

  private static volatile boolean stopped;
  private static volatile long counted;

  private SpinningProcess() {}

  static WorkflowDefinition spin(boolean computing) {
    WorkflowDefinitionBuilder<String> builder =
        WorkflowDefinition.of("spin")
            .start(
                "turn",
                ctx -> {
                  say("BEGIN spin " + ctx.instanceId() + " virtual " + isVirtual());
                  for (long i = 0; !stopped; i++) {
                    counted = i;
                  }
                  return Next.done("stopped");
                })
            .timeout("turn", TIMEOUT)
            .retry(RetryPolicy.never());
    return (computing ? builder.cpuBound("turn") : builder).build();
  }

  static WorkflowDefinition quick() {
    return WorkflowDefinition.of("quick").start("blink", ctx -> Next.done("quick")).build();
  }

  private static boolean isVirtual() {
    return Thread.currentThread().isVirtual();
  }

  @SuppressWarnings("SystemOut")
  private static void say(String line) {
    System.out.println(line);
  }

  public static void main(String[] args) throws Exception {
    System.setProperty("jdk.virtualThreadScheduler.parallelism", "2");
    System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", "2");
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    try (HikariDataSource pool = new HikariDataSource(config);
        Engine engine =
            Engine.builder()
                .dataSource(pool)
                .workflows(spin(args[1].equals("computing")), quick())
                .settings(s -> s.startTimeout(Duration.ofSeconds(2)))
                .start()) {
      say("READY " + engine.executorId());
      while (!stopped && System.in.read() >= 0) {
        stopped = true;
      }
      say("STOPPED after " + counted);
      new java.util.concurrent.CountDownLatch(1).await();
    }
  }
}
