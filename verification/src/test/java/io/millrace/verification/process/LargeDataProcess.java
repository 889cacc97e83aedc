package io.millrace.verification.process;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.ReceivedSignal;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * An engine process whose instances have more data than it has memory. Argument: the database's
 * URL.
 */
public final class LargeDataProcess {

  private LargeDataProcess() {}

  /** Returns a workflow that waits for a signal, then looks for one more. */
  static WorkflowDefinition inbox() {
    return WorkflowDefinition.of("inbox")
        .start("begin", ctx -> Next.moveTo("wait", "waits"))
        .await("wait", "go", LargeDataProcess::received)
        .end("end")
        .build();
  }

  private static Next received(StateContext ctx, Optional<ReceivedSignal> signal) {
    int number = signal.orElseThrow().payload(Integer.class);
    boolean last = ctx.signal("last").isPresent();
    return Next.moveTo(
        "end", "got " + number + ", noise " + ctx.signal("noise").isPresent() + last);
  }

  /** Returns a workflow that reads its input and variables. */
  static WorkflowDefinition heavy() {
    return WorkflowDefinition.of("heavy")
        .start(
            "read",
            ctx -> {
              ctx.input(String.class);
              ctx.find("v1", String.class);
              return Next.done("read");
            })
        .build();
  }

  public static void main(String[] args) throws InterruptedException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    Engine engine =
        Engine.builder()
            .dataSource(new HikariDataSource(config))
            .workflows(inbox(), heavy())
            .stopWithJvm()
            .start();
    System.out.println("READY " + engine.executorId());
    new CountDownLatch(1).await();
  }
}
