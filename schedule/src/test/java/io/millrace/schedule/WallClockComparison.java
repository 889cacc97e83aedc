package io.millrace.schedule;

import static java.time.DayOfWeek.FRIDAY;
import static java.time.DayOfWeek.SATURDAY;
import static java.time.DayOfWeek.SUNDAY;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * A comparison of the slots and windows of schedules in a zone with those derived from a {@link
 * WallClock}.
 */
final class WallClockComparison {

  /**
   * A cron, and a predicate for the minutes it allows.
   *
   * @param dense compared only around changes of the clock and on another day
   */
  private record Sample(
      String cron, boolean everyHour, boolean dense, Predicate<LocalDateTime> allowed) {}

  private static final List<Sample> SAMPLES =
      List.of(
          sparse("0 0 0 * * ?", t -> t.getHour() == 0 && t.getMinute() == 0),
          sparse("0 30 2 * * ?", t -> t.getHour() == 2 && t.getMinute() == 30),
          sparse(
              "0 15 0,2 ? * SUN",
              t -> (t.getHour() == 0 || t.getHour() == 2) && t.getMinute() == 15 && is(t, SUNDAY)),
          sparse(
              "0 59 1,23 ? * 1#1,1L,6L",
              t ->
                  t.getMinute() == 59
                      && (t.getHour() == 1 || t.getHour() == 23)
                      && ((is(t, SUNDAY) && t.getDayOfMonth() <= 7)
                          || (is(t, SUNDAY, FRIDAY) && isInLastWeek(t)))),
          sparse(
              "0 45 1 L,1 3,4,9-11 ?",
              t ->
                  t.getHour() == 1
                      && t.getMinute() == 45
                      && List.of(3, 4, 9, 10, 11).contains(t.getMonthValue())
                      && (t.getDayOfMonth() == 1
                          || t.toLocalDate().plusDays(1).getDayOfMonth() == 1)),
          dense("0 0/20 0-3 * * ?", t -> t.getHour() <= 3 && t.getMinute() % 20 == 0),
          dense("0 * 2 ? * FRI-SUN", t -> t.getHour() == 2 && is(t, FRIDAY, SATURDAY, SUNDAY)),
          dense("0 0 */2 * * ?", t -> t.getHour() % 2 == 0 && t.getMinute() == 0),
          dense("0 */7 1-23 * * ?", t -> t.getHour() > 0 && t.getMinute() % 7 == 0),
          always("0 0 * * * ?", t -> t.getMinute() == 0),
          always("0 5/25 * ? * *", t -> t.getMinute() % 25 == 5),
          always("0 * * * * ?", t -> true));

  private static final Duration SHORT_RANGE = Duration.ofDays(10);
  private static final int MARGIN = 3 * WallClock.MINUTES_A_DAY;

  private final int year;
  private final int years;
  private final List<BitSet> allowed;
  private final AtomicLong compared = new AtomicLong();

  WallClockComparison(int year, int years) {
    this.year = year;
    this.years = years;
    allowed = WallClock.allows(year, years, SAMPLES.stream().map(Sample::allowed).toList());
  }

  private static Sample sparse(String cron, Predicate<LocalDateTime> allowed) {
    return new Sample(cron, false, false, allowed);
  }

  private static Sample dense(String cron, Predicate<LocalDateTime> allowed) {
    return new Sample(cron, false, true, allowed);
  }

  private static Sample always(String cron, Predicate<LocalDateTime> allowed) {
    return new Sample(cron, true, true, allowed);
  }

  private static boolean is(LocalDateTime time, DayOfWeek... days) {
    return List.of(days).contains(time.getDayOfWeek());
  }

  private static boolean isInLastWeek(LocalDateTime time) {
    return time.plusDays(7).getMonth() != time.getMonth();
  }

  /** Returns the number of slots compared so far. */
  long compared() {
    return compared.get();
  }

  /** Throws an {@link AssertionError} at the first difference. Thread-safe. */
  void check(ZoneId zone, Random random) {
    WallClock clock = new WallClock(zone, year, years);
    checkFrequencies(zone, clock, random);
    for (int i = 0; i < SAMPLES.size(); i++) {
      for (DstPolicy policy : DstPolicy.values()) {
        checkCron(zone, clock, i, policy, random);
      }
    }
  }

  private void checkCron(ZoneId zone, WallClock clock, int index, DstPolicy policy, Random random) {
    Sample sample = SAMPLES.get(index);
    Schedule schedule = Schedule.cron(sample.cron(), policy).zone(zone);
    for (int[] range : ranges(sample, clock, random)) {
      List<Instant> expected =
          clock.fires(allowed.get(index), policy, sample.everyHour(), range[0], range[1]);
      Instant from = clock.instant(range[0]);
      Instant to = clock.instant(range[1]);
      String what = sample.cron() + " " + policy + " in " + zone;
      same(what, expected, forward(schedule, from, to));
      if (to.isBefore(from.plus(SHORT_RANGE))) {
        same(what + ", backward", expected, backward(schedule, from, to));
      }
      if (!expected.isEmpty()) {
        equal(
            what + ", counted",
            (long) expected.size(),
            schedule.count(expected.getFirst(), expected.getLast()));
      }
      compared.addAndGet(expected.size());
    }
  }

  /** Returns pairs of minutes, between which slots are compared. */
  private static List<int[]> ranges(Sample sample, WallClock clock, Random random) {
    List<int[]> ranges = new ArrayList<>();
    for (int jump : clock.jumps()) {
      ranges.add(new int[] {jump - WallClock.MINUTES_A_DAY, jump + WallClock.MINUTES_A_DAY});
    }
    int some = random.nextInt(MARGIN, clock.minutes() - MARGIN);
    ranges.add(new int[] {some, some + WallClock.MINUTES_A_DAY});
    if (!sample.dense()) {
      ranges.add(new int[] {MARGIN, clock.minutes() - MARGIN});
    }
    ranges.removeIf(r -> r[0] < MARGIN || r[1] > clock.minutes() - MARGIN);
    return ranges;
  }

  private void checkFrequencies(ZoneId zone, WallClock clock, Random random) {
    LocalDate sprint = LocalDate.of(year, 1, 1).minusDays(random.nextInt(1, 400));
    DayOfWeek weekStart = DayOfWeek.of(random.nextInt(1, 8));
    List<WallClock.Day> days = clock.days();
    for (Frequency frequency : Frequency.values()) {
      if (frequency == Frequency.ONETIME) {
        continue;
      }
      Schedule schedule =
          Schedule.of(frequency, frequency.isSprint() ? sprint : null, null)
              .zone(zone)
              .weekStart(weekStart);
      List<WallClock.Day> begins = begins(days, period(frequency, sprint, weekStart));
      if (begins.isEmpty()) {
        continue; // no year begins within a single one
      }
      List<Instant> slots = begins.stream().map(day -> slot(clock, day)).toList();
      String what =
          frequency + ", weeks from " + weekStart + ", sprints from " + sprint + ", " + zone;
      Instant end = clock.instant(clock.minutes() - 1);
      same(what, slots, forward(schedule, slots.getFirst(), end));
      same(what + ", backward", slots, backward(schedule, slots.getFirst(), end));
      for (int i = 1; i < slots.size(); i++) {
        DataWindow window =
            new DataWindow(
                clock.instant(begins.get(i - 1).begin()), clock.instant(begins.get(i).begin()));
        equal(what + " window", window, schedule.slot(slots.get(i)).window());
      }
      compared.addAndGet(slots.size());
      if (!frequency.isSprint()) {
        checkFirst(what, schedule, frequency, begins, clock, random);
      }
    }
  }

  private static void checkFirst(
      String what,
      Schedule schedule,
      Frequency frequency,
      List<WallClock.Day> begins,
      WallClock clock,
      Random random) {
    for (int i = 0; i < 50; i++) {
      Instant created = clock.instant(random.nextInt(MARGIN, clock.minutes() - MARGIN));
      LocalDate today = created.atZone(schedule.zone()).toLocalDate();
      boolean ahead = frequency == Frequency.DAILY || frequency == Frequency.WEEKLY;
      List<WallClock.Day> fit =
          begins.stream().filter(day -> day.date().isAfter(today) == ahead).toList();
      if (!fit.isEmpty()) {
        equal(
            what + " created " + created,
            slot(clock, ahead ? fit.getFirst() : fit.getLast()),
            schedule.first(created));
      }
    }
  }

  /** Returns one second past midnight, or the first instant of a day without midnight. */
  private static Instant slot(WallClock clock, WallClock.Day day) {
    Instant begin = clock.instant(day.begin());
    return day.atMidnight() ? begin.plusSeconds(1) : begin;
  }

  /** Returns the days on which a new period starts. */
  private static List<WallClock.Day> begins(
      List<WallClock.Day> days, ToLongFunction<LocalDate> period) {
    List<WallClock.Day> begins = new ArrayList<>();
    for (int i = 1; i < days.size(); i++) {
      if (period.applyAsLong(days.get(i).date()) != period.applyAsLong(days.get(i - 1).date())) {
        begins.add(days.get(i));
      }
    }
    return begins;
  }

  private static ToLongFunction<LocalDate> period(
      Frequency frequency, LocalDate sprint, DayOfWeek weekStart) {
    return switch (frequency) {
      case ONETIME -> throw new IllegalArgumentException("has no period");
      case DAILY -> LocalDate::toEpochDay;
      // 1 January 1970 was a Thursday, day 4.
      case WEEKLY -> date -> Math.floorDiv(date.toEpochDay() + 4 - weekStart.getValue(), 7L);
      case BI_WEEKLY_SPRINT -> date -> (date.toEpochDay() - sprint.toEpochDay()) / 14;
      case TRI_WEEKLY_SPRINT -> date -> (date.toEpochDay() - sprint.toEpochDay()) / 21;
      case MONTHLY -> date -> date.getYear() * 12L + date.getMonthValue();
      case QUARTERLY -> date -> date.getYear() * 4L + (date.getMonthValue() - 1) / 3;
      case YEARLY -> LocalDate::getYear;
    };
  }

  private static List<Instant> forward(Schedule schedule, Instant from, Instant to) {
    List<Instant> slots = new ArrayList<>();
    Instant at = schedule.nextOrSame(from);
    while (at != null && at.isBefore(to)) {
      slots.add(at);
      at = schedule.next(at);
    }
    return slots;
  }

  private static List<Instant> backward(Schedule schedule, Instant from, Instant to) {
    List<Instant> slots = new ArrayList<>();
    Instant at = schedule.previous(to);
    while (at != null && !at.isBefore(from)) {
      slots.add(at);
      at = schedule.previous(at);
    }
    Collections.reverse(slots);
    return slots;
  }

  private static void same(String what, List<Instant> expected, List<Instant> actual) {
    if (!expected.equals(actual)) {
      int i = 0;
      while (i < Math.min(expected.size(), actual.size())
          && expected.get(i).equals(actual.get(i))) {
        i++;
      }
      throw new AssertionError(
          "%s: slot %d of %d is %s, expected %s"
              .formatted(
                  what,
                  i,
                  expected.size(),
                  i < actual.size() ? actual.get(i) : "missing",
                  i < expected.size() ? expected.get(i) : "none"));
    }
  }

  private static void equal(String what, Object expected, Object actual) {
    if (!expected.equals(actual)) {
      throw new AssertionError(what + ": " + actual + ", expected " + expected);
    }
  }
}
