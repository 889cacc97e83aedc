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
 * The till, which is looked at every minute, and counted in the first look of each hour. Its run
 * begins anew every ten minutes, so that there are generations to look at.
 */
public final class TillWorkflow {

  /** The continuous workflow, and whose hours the period ledger has. */
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
