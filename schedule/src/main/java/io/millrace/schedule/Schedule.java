package io.millrace.schedule;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule for when something is due, with the policy for runs that were not in time. Immutable; the
 * methods named like components return changed copies.
 *
 * <p>Its slots depend on the schedule alone: two nodes, or one node today and tomorrow, compute the
 * same ones. Instants passed to its methods must lie in the years 1900 to 9999.
 *
 * @param recurs false to end after the first slot that no calendar excludes
 * @param zone time zone of clock and calendar
 * @param weekStart the first day of a week, for {@link Frequency#WEEKLY}
 * @param calendars times without runs; a slot inside is recorded as skipped
 * @param until no slot is after this instant; null for no end
 */
public record Schedule(
    Recurrence recurrence,
    boolean recurs,
    ZoneId zone,
    DayOfWeek weekStart,
    List<ExclusionCalendar> calendars,
    RunPolicy policy,
    @Nullable Instant until) {

  /** Maximum number of slots that one call lists. */
  public static final int MAX_LISTED = 10_000;

  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final Instant EARLIEST = Instant.parse("1900-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");
  private static final int MAX_CALENDARS = 20;

  /** Largest change of a clock, by a country that moves across the date line. */
  private static final Duration GREATEST_SHIFT = Duration.ofDays(1);

  public Schedule {
    calendars = List.copyOf(calendars);
    ScheduleValidation.require(
        calendars.size() <= MAX_CALENDARS,
        "A schedule has "
            + calendars.size()
            + " calendars; expected at most "
            + MAX_CALENDARS
            + ".");
    if (until != null) {
      requireSane(until);
    }
  }

  private static Schedule of(Recurrence recurrence) {
    return new Schedule(
        recurrence, true, UTC, DayOfWeek.SUNDAY, List.of(), RunPolicy.DEFAULT, null);
  }

  /** Returns a schedule by a frequency that needs no dates, in UTC. */
  public static Schedule of(Frequency frequency) {
    return of(new Recurrence.Calendar(frequency, null, null));
  }

  /**
   * Returns a schedule by a frequency, in UTC.
   *
   * @param start null for none, where none is needed
   * @param end null for none, where none is needed
   */
  public static Schedule of(
      Frequency frequency, @Nullable LocalDate start, @Nullable LocalDate end) {
    return of(new Recurrence.Calendar(frequency, start, end));
  }

  /**
   * Returns a schedule by a Quartz cron, in UTC; times in a gap or an overlap of clocks are treated
   * as in {@link DstPolicy#EARLIER}.
   */
  public static Schedule cron(String expression) {
    return cron(expression, DstPolicy.EARLIER);
  }

  /** Returns a schedule by a Quartz cron, in UTC. */
  public static Schedule cron(String expression, DstPolicy dst) {
    return of(new Recurrence.Cron(CronExpression.parse(expression), dst));
  }

  /** Returns a schedule at multiples of a duration since the start of 1970 in UTC. */
  public static Schedule every(Duration duration) {
    return every(duration, Instant.EPOCH);
  }

  /** Returns a schedule at {@code anchor} and at multiples of a duration before and after it. */
  public static Schedule every(Duration duration, Instant anchor) {
    return of(new Recurrence.Interval(duration, anchor));
  }

  /** Returns a schedule that is due at the ticks of a day window, in UTC. */
  public static Schedule within(DayWindow window) {
    return of((Recurrence) window);
  }

  /** Returns a copy that ends after its first run. */
  public Schedule once() {
    return new Schedule(recurrence, false, zone, weekStart, calendars, policy, until);
  }

  public Schedule zone(ZoneId other) {
    return new Schedule(recurrence, recurs, other, weekStart, calendars, policy, until);
  }

  public Schedule weekStart(DayOfWeek day) {
    return new Schedule(recurrence, recurs, zone, day, calendars, policy, until);
  }

  /** Returns a copy with a further calendar of days and hours without runs. */
  public Schedule excluding(ExclusionCalendar calendar) {
    List<ExclusionCalendar> all = new ArrayList<>(calendars);
    all.add(calendar);
    return new Schedule(recurrence, recurs, zone, weekStart, all, policy, until);
  }

  public Schedule misfire(MisfirePolicy misfirePolicy) {
    return policy(new RunPolicy(misfirePolicy, policy.catchUpLimit(), policy.overlap()));
  }

  public Schedule catchUpLimit(int slots) {
    return policy(new RunPolicy(policy.misfire(), slots, policy.overlap()));
  }

  public Schedule overlap(OverlapPolicy overlapPolicy) {
    return policy(new RunPolicy(policy.misfire(), policy.catchUpLimit(), overlapPolicy));
  }

  public Schedule policy(RunPolicy other) {
    return new Schedule(recurrence, recurs, zone, weekStart, calendars, other, until);
  }

  public Schedule until(Instant last) {
    return new Schedule(recurrence, recurs, zone, weekStart, calendars, policy, last);
  }

  /**
   * Returns the first slot of a schedule that is created at {@code created}. {@link
   * Frequency#MONTHLY}, {@link Frequency#QUARTERLY} and {@link Frequency#YEARLY} start in the past,
   * so that the last complete period runs at once. The others start after their creation, unless
   * they have a start date in the past.
   *
   * @return null if it is never due
   */
  public @Nullable Instant first(Instant created) {
    requireSane(created);
    return withinEnd(timeline().first(created));
  }

  /**
   * Returns the first slot after {@code instant}, whether a calendar excludes it or not; null for
   * none. Ignores {@link #recurs()}.
   */
  public @Nullable Instant next(Instant instant) {
    requireSane(instant);
    return withinEnd(timeline().next(instant));
  }

  /** Returns the first slot at or after {@code instant}; null for none. */
  public @Nullable Instant nextOrSame(Instant instant) {
    requireSane(instant);
    return next(instant.minusNanos(1));
  }

  /**
   * Returns the slot that is meant by a time that was computed earlier, when the rules of the time
   * zone may have been others. That is the time itself if it is a slot. Otherwise it is the nearer
   * of the slots around it, but a slot before it only within the largest change of clocks: for a
   * daily schedule at 08:00, the time 08:30 means that day's slot, and 07:30 does so too. A
   * schedule that no rules can move has no such slot before the time.
   *
   * @return null for none
   */
  public @Nullable Instant nearestSlot(Instant stored) {
    Instant after = nextOrSame(stored);
    if (stored.equals(after) || !dependsOnRules()) {
      return after;
    }
    Instant before = previous(stored);
    if (before == null) {
      return after;
    }
    Duration back = Duration.between(before, stored);
    boolean nearest = after == null || back.compareTo(Duration.between(stored, after)) <= 0;
    return nearest && back.compareTo(GREATEST_SHIFT) <= 0 ? before : after;
  }

  /** Returns true if a change of time zone rules may move its slots. */
  private boolean dependsOnRules() {
    return !(recurrence instanceof Recurrence.Interval) && !zone.getRules().isFixedOffset();
  }

  /** Returns the last slot before {@code instant}; null for none. */
  public @Nullable Instant previous(Instant instant) {
    requireSane(instant);
    boolean afterEnd = until != null && instant.isAfter(until);
    Instant at = timeline().previous(afterEnd && until != null ? until.plusNanos(1) : instant);
    return at == null || at.isBefore(EARLIEST) ? null : at;
  }

  /** Returns the last slot at or before {@code instant}; null for none. */
  public @Nullable Instant previousOrSame(Instant instant) {
    requireSane(instant);
    return previous(instant.plusNanos(1));
  }

  /**
   * Returns the slot at an instant.
   *
   * @param at one of the slots of this schedule
   */
  public Slot slot(Instant at) {
    return new Slot(at, timeline().window(at), excluded(at));
  }

  /**
   * Returns the name of a slot, for people and for checks that it does not run twice. For a {@link
   * DayWindow} it is the period or the local time, which stay the same when that is moved within
   * its day; otherwise it is the instant.
   *
   * @param slot one of the slots of this schedule
   */
  public String key(Instant slot) {
    return timeline().key(slot);
  }

  /**
   * Returns the time until which a run of a slot is not late. With a {@link DayWindow} that is its
   * next tick, or the last tick of a period in which it is due once, but not after its end.
   * Otherwise it is the slot itself.
   *
   * @param slot one of the slots of this schedule
   */
  public Instant lateAfter(Instant slot) {
    return lateAfter(slot, Duration.ZERO);
  }

  /**
   * Returns the time until which a run of a slot is not late, with a grace.
   *
   * @param grace how late a run may be in any case, including that of the last tick of a day window
   */
  public Instant lateAfter(Instant slot, Duration grace) {
    return timeline().lateAfter(slot, grace);
  }

  /**
   * Returns the next slots after {@code from}, including excluded ones. Ignores {@link #recurs()}.
   *
   * @param limit 1 to {@link #MAX_LISTED}
   */
  public SlotPage slotsAfter(Instant from, int limit) {
    return list(next(from), LATEST, limit);
  }

  /**
   * Returns the slots between two instants, for a calendar view.
   *
   * @param from inclusive
   * @param to exclusive
   * @param limit 1 to {@link #MAX_LISTED}
   */
  public SlotPage between(Instant from, Instant to, int limit) {
    requireSane(to);
    ScheduleValidation.require(
        !to.isBefore(from), "The range from " + from + " to " + to + " ends before it begins.");
    return list(nextOrSame(from), to, limit);
  }

  private SlotPage list(@Nullable Instant first, Instant to, int limit) {
    ScheduleValidation.require(
        limit >= 1 && limit <= MAX_LISTED,
        "The limit of slots is " + limit + "; expected 1 to " + MAX_LISTED + ".");
    List<Slot> slots = new ArrayList<>();
    Instant at = first;
    while (at != null && at.isBefore(to) && slots.size() < limit) {
      slots.add(slot(at));
      at = next(at);
    }
    return new SlotPage(slots, at != null && at.isBefore(to));
  }

  /** Returns a description in English. */
  public String describe() {
    return ScheduleDescriber.of(this);
  }

  /** Returns the reason why a slot is excluded, or null. */
  @Nullable String excluded(Instant at) {
    for (ExclusionCalendar calendar : calendars) {
      String why = calendar.excludes(at, zone);
      if (why != null) {
        return why;
      }
    }
    return null;
  }

  /**
   * Counts the slots between two instants, including excluded ones.
   *
   * @param from inclusive
   * @param to exclusive
   */
  public long countBetween(Instant from, Instant to) {
    Instant first = nextOrSame(from);
    Instant last = first == null || !first.isBefore(to) ? null : previous(to);
    return first == null || last == null ? 0 : count(first, last);
  }

  /** Counts the slots between two slots, inclusive. */
  long count(Instant first, Instant last) {
    return timeline().count(first, last);
  }

  private @Nullable Instant withinEnd(@Nullable Instant at) {
    return at == null || at.isAfter(LATEST) || (until != null && at.isAfter(until)) ? null : at;
  }

  private Timeline timeline() {
    return switch (recurrence) {
      case Recurrence.Calendar calendar -> new CalendarTimeline(calendar, zone, weekStart);
      case Recurrence.Cron cron -> new CronTimeline(cron.expression(), cron.dst(), zone);
      case Recurrence.Interval interval -> new IntervalTimeline(interval);
      case DayWindow window -> new WindowTimeline(window, zone);
    };
  }

  private static void requireSane(Instant instant) {
    ScheduleValidation.require(
        !(instant.isBefore(EARLIEST) || instant.isAfter(LATEST)),
        "A schedule was asked about " + instant + "; expected " + EARLIEST + " to " + LATEST + ".");
  }
}
