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
   * At once, and then with a pause after the end of each work. After a restart the pause counts
   * from the last event on.
   *
   * @param pause 100 ms to 3,660 days
   */
  public static Trigger fixedDelay(Duration pause) {
    return new IntervalTrigger(pause, false);
  }

  /**
   * At once, and then in a rhythm, which the time of the work is a part of. What was missed, by
   * longer work or a stop, is made up for once, and the rhythm stays.
   *
   * @param interval 100 ms to 3,660 days
   */
  public static Trigger fixedRate(Duration interval) {
    return new IntervalTrigger(interval, true);
  }

  /**
   * In windows of days, and only there. A tick that was missed is made up for until the next would
   * come or the window ends; what is due once in a period, until the last tick of that period. A
   * window or period without an event is recorded as missed.
   */
  public static Trigger daily(DayWindow window, ZoneId zone) {
    return schedule(Schedule.within(window).zone(zone).misfire(MisfirePolicy.SKIP));
  }

  /**
   * The same by name and text: {@code StartTime} such as {@code 08:00}, {@code EndTime}, {@code
   * IntervalMinutes}; and, if wanted, {@code TimeZone} (UTC), {@code DaysOfWeek} such as {@code
   * MONDAY, FRIDAY} (all), {@code FireMode}: {@code EACH_INTERVAL}, {@code ONCE_PER_WINDOW} or
   * {@code ONCE_PER_PERIOD}, and {@code Period} with the latter (LOCAL_DATE).
   *
   * @throws io.millrace.instance.InvalidRequestException when a property is missing, wrong or
   *     unknown; the message names it
   */
  public static Trigger dayScheduler(Map<String, ?> properties) {
    DaySchedulerProperties read = new DaySchedulerProperties(properties);
    return daily(read.window(), read.zone());
  }

  /**
   * By a cron of Quartz.
   *
   * @param zone such as {@code Europe/Berlin}
   * @throws io.millrace.instance.InvalidRequestException when one of them is wrong
   */
  public static Trigger cron(String expression, String zone) {
    return schedule(Schedule.cron(expression).zone(DaySchedulerProperties.zone(zone)));
  }

  /**
   * By a schedule, with its calendars and its policy for what was missed: of all that was due
   * during a stop, by default the latest comes.
   */
  public static Trigger schedule(Schedule schedule) {
    return new ScheduleTrigger(schedule);
  }

  /** New and changed files of a folder, which need not be there yet. */
  public static FolderTrigger folder(Path folder) {
    return FolderTrigger.of(
        InvalidRequestException.requirePresent(folder, "The folder of a trigger"));
  }

  /**
   * Rows of a table or a query, such as {@code SqlRowReader.of(dataSource, query, "id",
   * "changed_at")} in {@code io.millrace.store.sql}, looked for every 5 s.
   */
  public static Trigger rows(RowReader rows) {
    return rows(rows, Duration.ofSeconds(5), 100);
  }

  /**
   * The same.
   *
   * @param every 100 ms or more; the pause when there are no rows
   * @param batch how many are read at a time, 1 to 10,000
   */
  public static Trigger rows(RowReader rows, Duration every, int batch) {
    return new RowTrigger(rows, every, batch);
  }

  /**
   * Returns a trigger for events that are sent to the workflow from outside, over HTTP for example,
   * in their order.
   */
  public static Trigger webhook() {
    return new WebhookTrigger();
  }
}
