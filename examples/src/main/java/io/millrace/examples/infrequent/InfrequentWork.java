package io.millrace.examples.infrequent;

import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.TriggerEvent;
import io.millrace.continuous.Triggers;
import io.millrace.data.KeyContent;
import io.millrace.data.KeyStatus;
import io.millrace.data.KeyWriteResult;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.schedule.CalendarPeriod;
import io.millrace.schedule.DayWindow;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.function.Consumer;

/** Two ways to run work once a day. Each passes the work the date that it is for. */
public final class InfrequentWork {

  /** Group of the keys that record which day was done. */
  public static final String GROUP = "infrequent work";

  private InfrequentWork() {}

  /**
   * Returns a continuous workflow with a tick every five minutes, which sets a key for the day if
   * it is absent. Only one tick succeeds; after a crash it recognizes its own value and continues.
   */
  public static ContinuousWorkflow withKey(String name, ZoneId zone, Consumer<String> work) {
    // docs:guarded
    DayWindow morning = DayWindow.of("08:00", "09:00", Duration.ofMinutes(5));
    return ContinuousWorkflow.of(name, Triggers.daily(morning, zone))
        .handler((context, event) -> {
          String day = CalendarPeriod.LOCAL_DATE.key(context.now(), zone);
          String key = name + " " + day;
          String me = String.valueOf(context.instanceId());
          KeyContent mine = KeyContent.of(me).expiresAfter(Duration.ofDays(30));
          KeyWriteResult begun =
              context.keyValues().setIfAbsent(GROUP, key, mine.status(KeyStatus.IN_PROGRESS));
          if (begun instanceof KeyWriteResult.Refused(var other)
              && (other == null || !other.value().equals(me))) {
            return Next.done(day + " was begun before");
          }
          work.accept(day);
          context.keyValues().set(GROUP, key, mine.status(KeyStatus.SUCCESS));
          return Next.done(day + " is done");
        });
    // docs:end
  }

  /** Returns the same in one line: the trigger claims the day in the period ledger. */
  public static ContinuousWorkflow withPeriodLedger(
      String name, ZoneId zone, Consumer<String> work) {
    // docs:line
    DayWindow morning = DayWindow.of("08:00", "09:00", Duration.ofMinutes(5));
    return ContinuousWorkflow.of(
            name, Triggers.daily(morning.oncePer(CalendarPeriod.LOCAL_DATE), zone))
        .handler((context, event) -> done(context, event, work));
    // docs:end
  }

  private static Next done(StateContext context, TriggerEvent event, Consumer<String> work) {
    String day = String.valueOf(event.payload(Map.class).get("periodKey"));
    work.accept(day);
    return Next.done(day + " is done, in attempt " + context.attempt());
  }
}
