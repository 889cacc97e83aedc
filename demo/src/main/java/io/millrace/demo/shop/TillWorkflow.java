package io.millrace.demo.shop;

import io.millrace.EngineBuilder;
import io.millrace.continuous.ContinuationPolicy;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.TriggerEvent;
import io.millrace.continuous.Triggers;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.schedule.CalendarPeriod;
import java.time.Duration;
import java.time.ZoneOffset;

/**
 * The till, which is checked every minute and counted at the first check of each hour. A new run
 * starts every ten minutes, so that there are several generations to see.
 */
public final class TillWorkflow {

  /** Name of the continuous workflow, and of its hours in the period ledger. */
  public static final String WATCH = "till-watch";

  private static final Duration LOOK = Duration.ofMinutes(1);
  private static final Duration GENERATION = Duration.ofMinutes(10);

  private TillWorkflow() {}

  /** Registers the workflow. */
  public static void addTo(EngineBuilder builder) {
    builder.continuous(
        ContinuousWorkflow.of(WATCH, Triggers.fixedRate(LOOK))
            .handler(TillWorkflow::look)
            .continuation(ContinuationPolicy.after(GENERATION)));
  }

  private static Next look(StateContext ctx, TriggerEvent event) {
    boolean count =
        ctx.periodLedger().claim(WATCH, CalendarPeriod.LOCAL_HOUR, ZoneOffset.UTC).shouldRun();
    return Next.done(
        (count ? "counted for this hour" : "looked at") + ", " + event.start().mode().code());
  }
}
