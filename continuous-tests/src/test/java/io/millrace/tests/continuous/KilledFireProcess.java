package io.millrace.tests.continuous;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.PollResult;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerContext;
import io.millrace.data.PeriodLedger;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/**
 * A process that fires once a period and blocks at a kill point in the second period, to be killed
 * there. Arguments: the database's URL, and the kill point.
 */
public final class KilledFireProcess {

  static final int PERIODS = 3;
  private static final int CUT_IN = 2;
  private static final Duration LEASE = Duration.ofSeconds(2);

  private final FireKillPoint fireKillPoint;
  private final boolean dies;
  private volatile boolean armed;

  private KilledFireProcess(FireKillPoint fireKillPoint, boolean dies) {
    this.fireKillPoint = fireKillPoint;
    this.dies = dies;
  }

  static String name(FireKillPoint fireKillPoint) {
    return "close-" + fireKillPoint;
  }

  /** Returns an engine that continues after the process was killed, and does not block itself. */
  static Engine heir(DataSource pool, FireKillPoint fireKillPoint) {
    return new KilledFireProcess(fireKillPoint, false).engine(pool);
  }

  private Engine engine(DataSource pool) {
    return Engine.builder()
        .dataSource(
            dies && fireKillPoint.isStatement()
                ? KillPointDataSource.of(pool, fireKillPoint, () -> reached(fireKillPoint))
                : pool)
        .settings(s -> s.lease(LEASE, LEASE.dividedBy(8)).executorGroup("" + fireKillPoint))
        .continuous(
            ContinuousWorkflow.of(
                    name(fireKillPoint), new Watched(new CountingTrigger(PERIODS, Duration.ZERO)))
                .handler((context, event) -> close(context, event.payload(Integer.class))))
        .start();
  }

  private Next close(StateContext context, int number) {
    String period = "n" + number;
    reached(FireKillPoint.EXECUTION_STARTED);
    PeriodLedger.Claim claim = context.periodLedger().claim(name(fireKillPoint), period);
    reached(FireKillPoint.CLAIMED);
    if (!claim.shouldRun()) {
      return Next.done("passed over");
    }
    context.keyValues().set(name(fireKillPoint), period, "written");
    reached(FireKillPoint.WRITTEN);
    context.checkpoint("period", period);
    context.reduce(name(fireKillPoint)).key("/id").reduce(List.of(Map.of("id", period))).commit();
    return Next.done("closed");
  }

  /** Blocks the thread at the kill point, together with everything that it holds. */
  private void reached(FireKillPoint place) {
    if (dies && armed && place == fireKillPoint) {
      System.out.println("CUT " + fireKillPoint);
      System.out.flush();
      while (true) {
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException e) {
          System.out.println("Interrupted at the cut");
        }
      }
    }
  }

  /** A trigger that records which period is read and accepted. */
  private final class Watched implements Trigger {
    private final Trigger trigger;

    Watched(Trigger trigger) {
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
        if (!(answer instanceof PollResult.Event event)) {
          return answer;
        }
        armed |= event.payload().equals(CUT_IN);
        reached(FireKillPoint.READ);
        return new PollResult.Event(
            event.payload(),
            event.id(),
            event.position(),
            () -> {
              reached(FireKillPoint.ACCEPTED);
              event.accepted().run();
            });
      };
    }
  }

  public static void main(String[] args) throws InterruptedException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setMaximumPoolSize(6);
    new KilledFireProcess(FireKillPoint.valueOf(args[1]), true)
        .engine(new HikariDataSource(config));
    new CountDownLatch(1).await();
  }
}
