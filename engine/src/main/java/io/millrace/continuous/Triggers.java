package io.millrace.continuous;

import io.millrace.instance.InvalidRequestException;
import io.millrace.schedule.DayWindow;
import io.millrace.schedule.MisfirePolicy;
import io.millrace.schedule.Schedule;
import io.millrace.store.RowReader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;

/** The triggers that come with the engine. */
public final class Triggers {

  private Triggers() {}

  /**
   * Returns a trigger that fires at once, and then with a pause after the end of each execution.
   * After a restart the pause counts from the last event on.
   *
   * @param pause 100 ms to 3,660 days
   */
  public static Trigger fixedDelay(Duration pause) {
    return new IntervalTrigger(pause, false);
  }

  /**
   * Returns a trigger that fires at once, and then at a fixed interval that includes the time of
   * the execution. Missed ticks, by longer work or a stop, are made up for by one tick, and the
   * rhythm stays.
   *
   * @param interval 100 ms to 3,660 days
   */
  public static Trigger fixedRate(Duration interval) {
    return new IntervalTrigger(interval, true);
  }

  /**
   * Returns a trigger that fires in windows of days only. A missed tick is made up for until the
   * next would come or the window ends; a tick that is due once in a period, until the last tick of
   * that period. A window or period without an event is recorded as missed.
   */
  public static Trigger daily(DayWindow window, ZoneId zone) {
    return schedule(Schedule.within(window).zone(zone).misfire(MisfirePolicy.NONE));
  }

  /**
   * Returns a trigger that fires in windows of days, configured by properties: {@code StartTime}
   * such as {@code 08:00}, {@code EndTime}, {@code IntervalMinutes}; and optionally {@code
   * TimeZone} (UTC), {@code DaysOfWeek} such as {@code MONDAY, FRIDAY} (all), {@code FireMode}:
   * {@code EACH_INTERVAL}, {@code ONCE_PER_WINDOW} or {@code ONCE_PER_PERIOD}, and {@code Period}
   * with the latter (LOCAL_DATE).
   *
   * @throws io.millrace.instance.InvalidRequestException if a property is missing, wrong or
   *     unknown; the message names it
   */
  public static Trigger dayScheduler(Map<String, ?> properties) {
    DaySchedulerProperties read = new DaySchedulerProperties(properties);
    return daily(read.window(), read.zone());
  }

  /**
   * Returns a trigger that fires by a Quartz cron expression.
   *
   * @param zone such as {@code Europe/Berlin}
   * @throws io.millrace.instance.InvalidRequestException if either is invalid
   */
  public static Trigger cron(String expression, String zone) {
    return schedule(Schedule.cron(expression).zone(DaySchedulerProperties.zone(zone)));
  }

  /**
   * Returns a trigger that fires by a schedule, with its calendars and its misfire policy: by
   * default, the latest of all slots that were due during a stop.
   */
  public static Trigger schedule(Schedule schedule) {
    return new ScheduleTrigger(schedule);
  }

  /** Returns a trigger for new and changed files of a folder, which need not exist yet. */
  public static FolderTrigger folder(Path folder) {
    return FolderTrigger.of(
        InvalidRequestException.requirePresent(folder, "The folder of a trigger"));
  }

  /**
   * Returns a trigger for rows of a table or a query, such as {@code SqlRowReader.of(dataSource,
   * query, "id", "changed_at")} in {@code io.millrace.store.sql}, polled every 5 s.
   */
  public static Trigger rows(RowReader rows) {
    return rows(rows, Duration.ofSeconds(5), 100);
  }

  /**
   * Returns a trigger for rows of a table or a query.
   *
   * @param every 100 ms or more; the pause when there are no rows
   * @param batch how many are read at a time, 1 to 10,000
   */
  public static Trigger rows(RowReader rows, Duration every, int batch) {
    return new RowTrigger(rows, every, batch);
  }

  /**
   * Returns a trigger for events that clients send to the workflow, for example over HTTP, in their
   * order.
   */
  public static Trigger webhook() {
    return new WebhookTrigger();
  }
}
