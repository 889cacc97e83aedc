package io.millrace.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A calendar of days and hours on which its schedules do not run.
 *
 * @param name shown with excluded slots
 * @param holidays whole days, in the zone of the schedule
 * @param blackouts ranges of time, the same ones in every zone
 */
public record ExclusionCalendar(String name, List<Holiday> holidays, List<Blackout> blackouts) {

  /**
   * A day without runs.
   *
   * @param date the day; with {@code yearly} its year does not count
   * @param yearly true if it returns every year; 29 February only in leap years
   */
  public record Holiday(String name, LocalDate date, boolean yearly) {

    public Holiday {
      requireName("A holiday", name);
    }

    /** Returns a holiday on a day of one year. */
    public static Holiday on(LocalDate date, String name) {
      return new Holiday(name, date, false);
    }

    /** Returns a holiday on the same day of every year. */
    public static Holiday yearly(LocalDate date, String name) {
      return new Holiday(name, date, true);
    }

    boolean covers(LocalDate day) {
      return yearly
          ? day.getMonthValue() == date.getMonthValue()
              && day.getDayOfMonth() == date.getDayOfMonth()
          : day.equals(date);
    }
  }

  /**
   * A range of time without runs.
   *
   * @param from inclusive
   * @param to exclusive
   */
  public record Blackout(String name, Instant from, Instant to) {

    public Blackout {
      requireName("A blackout", name);
      ScheduleValidation.require(
          from.isBefore(to),
          "Blackout '"
              + name
              + "' goes from "
              + from
              + " to "
              + to
              + "; expected an end after its begin.");
    }

    boolean covers(Instant at) {
      return !at.isBefore(from) && at.isBefore(to);
    }
  }

  public ExclusionCalendar {
    requireName("A calendar", name);
    holidays = List.copyOf(holidays);
    blackouts = List.copyOf(blackouts);
  }

  /** Returns a calendar of holidays only. */
  public static ExclusionCalendar of(String name, Holiday... holidays) {
    return new ExclusionCalendar(name, List.of(holidays), List.of());
  }

  /** Returns the reason why an instant is excluded, or null. */
  @Nullable String excludes(Instant at, ZoneId zone) {
    LocalDate day = at.atZone(zone).toLocalDate();
    for (Holiday holiday : holidays) {
      if (holiday.covers(day)) {
        return "calendar '" + name + "': " + holiday.name() + ", " + day;
      }
    }
    for (Blackout blackout : blackouts) {
      if (blackout.covers(at)) {
        return "calendar '%s': %s, %s to %s"
            .formatted(name, blackout.name(), blackout.from(), blackout.to());
      }
    }
    return null;
  }

  private static void requireName(String what, String name) {
    ScheduleValidation.require(
        !name.isBlank() && name.length() <= 100,
        what
            + " has the name '"
            + ScheduleValidation.shortened(name)
            + "'; expected 1 to 100 characters.");
  }
}
