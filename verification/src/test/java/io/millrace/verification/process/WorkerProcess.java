package io.millrace.verification.process;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * An engine in a process of its own, to be killed. Says on standard output what it does. Arguments:
 * the database's URL, and the state whose handler shall never end ({@code none} for an engine that
 * works, {@code exit-} and a state for one whose handler ends the process).
 */
public final class WorkerProcess {

  static final String EXITS_IN = "exit-";
  static final int EXIT_CODE = 9;

  private WorkerProcess() {}

  /** Three steps in a row. */
  static WorkflowDefinition definition(String hangsIn) {
    return WorkflowDefinition.of("steps")
        .start("one", ctx -> step(ctx, hangsIn, "two"))
        .state("two", ctx -> step(ctx, hangsIn, "three"))
        .state("three", ctx -> step(ctx, hangsIn, "end"))
        .end("end")
        .build();
  }

  private static Next step(StateContext ctx, String hangsIn, String next)
      throws InterruptedException {
    say("BEGIN " + ctx.state() + " " + ctx.instanceId());
    if (ctx.state().equals(hangsIn)) {
      new CountDownLatch(1).await();
    }
    if (hangsIn.equals(EXITS_IN + ctx.state())) {
      System.exit(EXIT_CODE);
    }
    return Next.moveTo(next, "done in process " + ProcessHandle.current().pid());
  }

  public static void main(String[] args) throws InterruptedException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setMaximumPoolSize(6);
    Engine engine =
        Engine.builder()
            .dataSource(new HikariDataSource(config))
            .workflows(definition(args[1]))
            .settings(s -> s.drainGrace(Duration.ofMillis(200)).maxRecoveries(2))
            .stopWithJvm()
            .start();
    say("READY " + engine.executorId());
    new CountDownLatch(1).await();
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
