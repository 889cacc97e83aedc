package io.millrace.schedule;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A part of some days with ticks in it: at its start, and repeatedly until its end, on the clock of
 * the schedule's zone. Immutable; the methods return changed copies.
 *
 * <p>A window that ends at a time before its start extends over midnight, and belongs to the date
 * of its start. Ticks in a gap of the clock merge into one at the first instant after it, also when
 * the whole window is in the gap; with {@link DstPolicy#SKIP} there are none. A day that does not
 * exist has no window.
 *
 * @param end time of the last tick or after it
 * @param every time between ticks; whole minutes, 1 minute to 24 hours
 * @param days on which windows start
 * @param once period in which the schedule is due once; null for at each tick
 * @param dst policy for ticks in a gap and in an overlap; if it is due once, {@link DstPolicy#BOTH}
 *     acts as {@link DstPolicy#EARLIER}
 */
public record DayWindow(
    LocalTime start,
    LocalTime end,
    Duration every,
    Set<DayOfWeek> days,
    @Nullable CalendarPeriod once,
    DstPolicy dst)
    implements Recurrence {

  private static final Duration MIN_INTERVAL = Duration.ofMinutes(1);
  private static final Duration MAX_INTERVAL = Duration.ofDays(1);

  public DayWindow {
    ScheduleValidation.require(
        !days.isEmpty(), "A window has no days of the week; expected at least one, or all.");
    days = Set.copyOf(days);
    ScheduleValidation.require(
        !start.equals(end),
        "A window goes from "
            + start
            + " to "
            + end
            + "; expected an end that differs from its start.");
    ScheduleValidation.require(
        start.getSecond() + start.getNano() + end.getSecond() + end.getNano() == 0,
        "A window goes from " + start + " to " + end + "; expected whole minutes.");
    ScheduleValidation.require(
        every.compareTo(MIN_INTERVAL) >= 0
            && every.compareTo(MAX_INTERVAL) <= 0
            && every.toSecondsPart() + every.toNanosPart() == 0,
        "A window has a tick every "
            + every
            + "; expected whole minutes, "
            + MIN_INTERVAL
            + " to "
            + MAX_INTERVAL
            + ".");
  }

  /** Returns a window of every day, due at each tick. */
  public static DayWindow of(LocalTime start, LocalTime end, Duration every) {
    return new DayWindow(
        start, end, every, EnumSet.allOf(DayOfWeek.class), null, DstPolicy.EARLIER);
  }

  /**
   * Returns a window with times given as text.
   *
   * @param start such as {@code 08:00}
   */
  public static DayWindow of(String start, String end, Duration every) {
    return of(time("start", start), time("end", end), every);
  }

  private static LocalTime time(String what, String text) {
    try {
      return LocalTime.parse(text.strip());
    } catch (DateTimeException e) {
      throw new InvalidScheduleException(
          "The "
              + what
              + " of a window is '"
              + ScheduleValidation.shortened(text)
              + "'; expected 08:00.");
    }
  }

  /** Returns a copy that is restricted to windows starting on some days. */
  public DayWindow on(DayOfWeek... some) {
    return new DayWindow(start, end, every, new HashSet<>(Arrays.asList(some)), once, dst);
  }

  /**
   * Returns a copy that is due once in each window: at its first tick, or a later one if that was
   * missed.
   */
  public DayWindow oncePerWindow() {
    return oncePer(CalendarPeriod.LOCAL_DATE);
  }

  /**
   * Returns a copy that is due once in each period in which there is a window. The start of a
   * window determines its date, week or month, so another time within the day creates no second
   * one.
   */
  public DayWindow oncePer(CalendarPeriod calendarPeriod) {
    return new DayWindow(start, end, every, days, calendarPeriod, dst);
  }

  /** Returns a copy that is due at each tick. */
  public DayWindow atEachTick() {
    return new DayWindow(start, end, every, days, null, dst);
  }

  public DayWindow dst(DstPolicy policy) {
    return new DayWindow(start, end, every, days, once, policy);
  }

  /** Returns the times as text, such as {@code 08:00-09:00}. */
  String span() {
    return start + "-" + end;
  }

  Duration length() {
    Duration length = Duration.between(start, end);
    return length.isNegative() ? length.plusDays(1) : length;
  }

  /** Returns the days from Monday on. */
  List<DayOfWeek> sortedDays() {
    return days.stream().sorted().toList();
  }

  boolean isDaily() {
    return days.size() == DayOfWeek.values().length;
  }

  /** Returns the names of the days for people. */
  String dayNames() {
    return isDaily()
        ? "every day"
        : "on "
            + sortedDays().stream().map(ScheduleDescriber::name).collect(Collectors.joining(", "));
  }
}
