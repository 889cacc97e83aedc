package io.millrace.tests.continuous;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.definition.Next;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/** An engine process with continuous workflows, to be killed. Argument: the database's URL. */
public final class ContinuousProcess {

  /** Number of workflows that count. */
  static final int WORKFLOWS = 5;

  /** Number up to which each workflow counts. */
  static final int EVENTS = 150;

  private ContinuousProcess() {}

  static ContinuousWorkflow[] workflows() {
    return IntStream.range(0, WORKFLOWS)
        .mapToObj(i ->
            ContinuousWorkflow.of("count" + i, new CountingTrigger(EVENTS, Duration.ofMillis(20)))
                .handler((context, event) -> Next.done("counted")))
        .toArray(ContinuousWorkflow[]::new);
  }

  public static void main(String[] args) throws InterruptedException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setMaximumPoolSize(6);
    Engine engine =
        Engine.builder()
            .dataSource(new HikariDataSource(config))
            .continuous(workflows())
            .stopWithJvm()
            .start();
    System.out.println("READY " + engine.executorId());
    System.out.flush();
    new CountDownLatch(1).await();
  }
}
