package io.millrace.tests.continuous;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.EventHandler;
import io.millrace.continuous.PollResult;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerContext;
import io.millrace.continuous.Triggers;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.store.sql.SqlRowReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/**
 * Triggers of four kinds in a process of its own, to be frozen. Reports its activity on standard
 * output. Arguments: the database's URL, and {@code holds} for a process that blocks at the fifth
 * event of three of the triggers until it reads a line from standard input.
 */
public final class TriggersProcess {

  static final String ROWS = "rows";
  static final String HOOK = "hook";
  static final String NUMBERS = "numbers";
  static final String TICKS = "ticks";

  /** Last number of {@link #NUMBERS}. */
  static final int LAST = 20;

  /** Number of the event at which a holding process blocks. */
  static final int HELD = 5;

  static final Duration LEASE = Duration.ofSeconds(4);
  private static final Duration SHORT = Duration.ofMillis(100);
  private static final long PID = ProcessHandle.current().pid();

  private final CountDownLatch gate;

  private TriggersProcess(boolean holds) {
    this.gate = new CountDownLatch(holds ? 1 : 0);
  }

  private ContinuousWorkflow[] workflows(DataSource pool) {
    Trigger rows =
        Triggers.rows(SqlRowReader.of(pool, "SELECT id FROM source_rows", "id", "id"), SHORT, 3);
    return new ContinuousWorkflow[] {
      ContinuousWorkflow.of(ROWS, rows)
          .handler((context, event) ->
              handle(context, ROWS, ((Number) event.payload(Map.class).get("id")).intValue())),
      ContinuousWorkflow.of(HOOK, Triggers.webhook()).handler(counted(HOOK)),
      ContinuousWorkflow.of(NUMBERS, new Gated(new CountingTrigger(LAST, SHORT)))
          .handler((context, event) -> write(context, NUMBERS, event.payload(Integer.class))),
      ContinuousWorkflow.of(TICKS, Triggers.fixedDelay(SHORT.multipliedBy(2)))
          .handler((context, event) -> {
            say("BEGIN ticks");
            return Next.done("ticked");
          })
    };
  }

  private EventHandler counted(String name) {
    return (context, event) -> handle(context, name, event.payload(Integer.class));
  }

  private Next handle(StateContext context, String name, int number) {
    if (number == HELD && gate.getCount() > 0) {
      say("HELD " + name);
      hold();
    }
    return write(context, name, number);
  }

  /** Blocks until the gate opens, and ignores interrupts. */
  private void hold() {
    while (gate.getCount() > 0) {
      try {
        gate.await();
      } catch (InterruptedException e) {
        say("INTERRUPTED");
      }
    }
  }

  private static Next write(StateContext context, String name, int number) {
    context.checkpoint("last", number + " by " + PID);
    try {
      context.keyValues().set(name, "n" + number, "" + PID);
      context.reduce(name).key("/id").reduce(List.of(record(number, PID))).commit();
    } catch (RuntimeException e) {
      say("REFUSED " + name + " " + number + " " + e.getClass().getSimpleName());
    }
    return Next.done("done by " + PID);
  }

  /** Returns the record that {@link #write} commits. */
  static Map<String, Object> record(int number, long pid) {
    return Map.of("id", number, "by", pid);
  }

  /** A trigger that holds back an event it has read but not yet reported. */
  private final class Gated implements Trigger {
    private final Trigger trigger;

    Gated(Trigger trigger) {
      this.trigger = trigger;
    }

    @Override
    public String describe() {
      return trigger.describe();
    }

    @Override
    public Source open(TriggerContext scope) throws Exception {
      Source source = trigger.open(scope);
      return () -> {
        PollResult answer = source.poll();
        if (answer instanceof PollResult.Event event
            && event.payload().equals(HELD)
            && gate.getCount() > 0) {
          say("HELD " + NUMBERS);
          hold();
          say("WENT ON " + NUMBERS);
        }
        return answer;
      };
    }
  }

  public static void main(String[] args) throws InterruptedException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setMaximumPoolSize(6);
    HikariDataSource pool = new HikariDataSource(config);
    TriggersProcess process = new TriggersProcess(args.length > 1);
    Engine engine =
        Engine.builder()
            .dataSource(pool)
            .settings(s -> s.lease(LEASE, LEASE.dividedBy(8)))
            .continuous(process.workflows(pool))
            .stopWithJvm()
            .start();
    say("READY " + engine.executorId() + " " + PID);
    new Scanner(System.in, StandardCharsets.UTF_8).nextLine();
    process.gate.countDown();
    new CountDownLatch(1).await();
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
