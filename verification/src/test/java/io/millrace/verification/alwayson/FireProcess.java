package io.millrace.verification.alwayson;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.Poll;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerScope;
import io.millrace.data.OncePerPeriod;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/**
 * Fires once a period, in a process of its own that stops dead between two steps of the second
 * period, to be killed there. Arguments: the database's URL, and the cut.
 */
public final class FireProcess {

  static final int PERIODS = 3;
  private static final int CUT_IN = 2;
  private static final Duration LEASE = Duration.ofSeconds(2);

  private final Cut cut;
  private final boolean dies;
  private volatile boolean armed;

  private FireProcess(Cut cut, boolean dies) {
    this.cut = cut;
    this.dies = dies;
  }

  static String name(Cut cut) {
    return "close-" + cut;
  }

  /** An engine for what is cut there, which itself lives on. */
  static Engine heir(DataSource pool, Cut cut) {
    return new FireProcess(cut, false).engine(pool);
  }

  private Engine engine(DataSource pool) {
    return Engine.builder()
        .dataSource(
            dies && cut.isStatement() ? CutDataSource.of(pool, cut, () -> reached(cut)) : pool)
        .settings(s -> s.lease(LEASE, LEASE.dividedBy(8)).executorGroup("" + cut))
        .continuous(
            ContinuousWorkflow.of(name(cut), new Watched(new Counting(PERIODS, Duration.ZERO)))
                .handler((context, event) -> close(context, event.payload(Integer.class))))
        .start();
  }

  private Next close(StateContext context, int number) {
    String period = "n" + number;
    reached(Cut.BEGUN);
    OncePerPeriod.Answer answer = context.oncePerPeriod().claim(name(cut), period);
    reached(Cut.CLAIMED);
    if (!answer.shouldRun()) {
      return Next.done("passed over");
    }
    context.keyValues().set(name(cut), period, "written");
    reached(Cut.WRITTEN);
    context.checkpoint("period", period);
    context.reduce(name(cut)).key("/id").reduce(List.of(Map.of("id", period))).commit();
    return Next.done("closed");
  }

  /** The thread that comes to the cut goes no further, and holds whatever it holds. */
  private void reached(Cut place) {
    if (dies && armed && place == cut) {
      System.out.println("CUT " + cut);
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

  /** Sees which period is read and accepted. */
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
    public Source open(TriggerScope scope) throws Exception {
      Source source = trigger.open(scope);
      return () -> {
        Poll answer = source.poll();
        if (!(answer instanceof Poll.Event event)) {
          return answer;
        }
        armed |= event.payload().equals(CUT_IN);
        reached(Cut.READ);
        return new Poll.Event(
            event.payload(),
            event.id(),
            event.position(),
            () -> {
              reached(Cut.ACCEPTED);
              event.accepted().run();
            });
      };
    }
  }

  public static void main(String[] args) throws InterruptedException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setMaximumPoolSize(6);
    new FireProcess(Cut.valueOf(args[1]), true).engine(new HikariDataSource(config));
    new CountDownLatch(1).await();
  }
}
