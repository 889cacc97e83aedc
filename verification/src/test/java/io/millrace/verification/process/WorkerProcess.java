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
 * An engine process, to be killed or frozen. Reports its activity on standard output. Arguments:
 * the database's URL; the state whose handler never ends ({@code none} for an engine without such a
 * state, {@code slowly} for slow handlers); and, unless it is the default, the lease in
 * milliseconds.
 */
public final class WorkerProcess {

  static final String SLOWLY = "slowly";

  /** Number of handlers that run at the same time. */
  static final int HANDLERS = EngineSettings.defaults().dispatching().concurrency();

  private static final long QUICK_MILLIS = 200;
  private static final long SLOW_MILLIS = 2_000;

  /** Number of renewals within the length of a lease. */
  private static final int RENEWALS = 8;

  private static final CountDownLatch MEETING = new CountDownLatch(HANDLERS);

  private WorkerProcess() {}

  /** Returns a workflow of three steps in a row. */
  static WorkflowDefinition definition(String hangsIn) {
    return WorkflowDefinition.of("steps")
        .start("one", ctx -> step(ctx, hangsIn, "two"))
        .state("two", ctx -> step(ctx, hangsIn, "three"))
        .state("three", ctx -> step(ctx, hangsIn, "end"))
        .end("end")
        .build();
  }

  /** Returns a workflow whose handlers end when all handlers are running at the same time. */
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

  /** Returns a workflow that writes a variable, so that its save needs more than one statement. */
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
