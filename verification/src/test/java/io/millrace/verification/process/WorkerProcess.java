package io.millrace.verification.process;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.lifecycle.EngineSettings;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * An engine in a process of its own, to be killed or frozen. Says on standard output what it does.
 * Arguments: the database's URL; the state whose handler shall never end ({@code none} for an
 * engine that works, {@code slowly} for one that takes its time); and, if it shall not be the
 * default, the lease in milliseconds.
 */
public final class WorkerProcess {

  static final String SLOWLY = "slowly";

  /** Handlers that run at the same time. */
  static final int HANDLERS = EngineSettings.defaults().dispatching().concurrency();

  private static final long QUICK_MILLIS = 200;
  private static final long SLOW_MILLIS = 2_000;

  /** A lease is renewed this often in its time. */
  private static final int RENEWALS = 8;

  private static final CountDownLatch MEETING = new CountDownLatch(HANDLERS);

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

  /** Ends when as many as there are handlers are in it at the same time. */
  static WorkflowDefinition meeting() {
    return WorkflowDefinition.of("meeting")
        .start(
            "meet",
            ctx -> {
              MEETING.countDown();
              MEETING.await();
              return Next.done("all were there");
            })
        .build();
  }

  /** Writes a variable, for which a save needs more than one statement. */
  static WorkflowDefinition writing() {
    return WorkflowDefinition.of("writing")
        .start(
            "write",
            ctx -> {
              say("BEGIN write " + ctx.instanceId());
              ctx.set("written", true);
              return Next.done("wrote");
            })
        .build();
  }

  private static Next step(StateContext ctx, String hangsIn, String next)
      throws InterruptedException {
    say("BEGIN " + ctx.state() + " " + ctx.instanceId() + " " + System.currentTimeMillis());
    if (ctx.state().equals(hangsIn)) {
      new CountDownLatch(1).await();
    }
    if (hangsIn.equals(SLOWLY)) {
      TimeUnit.MILLISECONDS.sleep(ctx.instanceId() % 4 == 0 ? SLOW_MILLIS : QUICK_MILLIS);
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
            .workflows(definition(args[1]), meeting(), writing())
            .settings(s -> lease(s, args).drainGrace(Duration.ofMillis(200)).maxRecoveries(2))
            .stopWithJvm()
            .start();
    say("READY " + engine.executorId());
    new CountDownLatch(1).await();
  }

  private static EngineSettings lease(EngineSettings settings, String[] args) {
    if (args.length < 3) {
      return settings;
    }
    Duration lease = Duration.ofMillis(Long.parseLong(args[2]));
    return settings.lease(lease, lease.dividedBy(RENEWALS));
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
