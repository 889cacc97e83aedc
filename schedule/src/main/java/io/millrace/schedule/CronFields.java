package io.millrace.schedule;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values that the fields of a cron allow, and the local times that follow from them.
 *
 * @param days rules of days; one of them must match
 * @param years null for all
 */
record CronFields(
    BitSet seconds,
    BitSet minutes,
    BitSet hours,
    List<DayRule> days,
    BitSet months,
    @Nullable BitSet years) {

  static final int FIRST_YEAR = 1970;
  static final int LAST_YEAR = 2199;

  /**
   * Number of months to search: a 29 February on a certain day of the week comes at least every 40
   * years.
   */
  private static final int MONTHS_AHEAD = 12 * 100;

  /** A rule that selects days of a month, as a bit set whose bit 1 is the first day. */
  sealed interface DayRule {
    BitSet days(YearMonth month);
  }

  record DaysOfMonth(BitSet numbers) implements DayRule {
    @Override
    public BitSet days(YearMonth month) {
      return numbers.get(0, month.lengthOfMonth() + 1);
    }
  }

  record LastDay(int daysBefore) implements DayRule {
    @Override
    public BitSet days(YearMonth month) {
      return only(month.lengthOfMonth() - daysBefore);
    }
  }

  record LastWorkday() implements DayRule {
    @Override
    public BitSet days(YearMonth month) {
      int last = month.lengthOfMonth();
      return only(last - Math.max(0, month.atDay(last).getDayOfWeek().getValue() - 5));
    }
  }

  /** The working day nearest to a day in the same month; none in a month without that day. */
  record NearestWorkday(int day) implements DayRule {
    @Override
    public BitSet days(YearMonth month) {
      if (day > month.lengthOfMonth()) {
        return new BitSet();
      }
      return only(
          switch (month.atDay(day).getDayOfWeek()) {
            case SATURDAY -> day == 1 ? 3 : day - 1;
            case SUNDAY -> day == month.lengthOfMonth() ? day - 2 : day + 1;
            default -> day;
          });
    }
  }

  /** The working day nearest to the day that is some days before the last, in the same month. */
  record WorkdayNearLast(int daysBefore) implements DayRule {
    @Override
    public BitSet days(YearMonth month) {
      int day = month.lengthOfMonth() - daysBefore;
      return day < 1 ? new BitSet() : new NearestWorkday(day).days(month);
    }
  }

  /** The days of the week, by numbers from 1, Sunday. */
  record DaysOfWeek(BitSet numbers) implements DayRule {
    @Override
    public BitSet days(YearMonth month) {
      BitSet days = new BitSet();
      int number = numberOf(month.atDay(1));
      for (int day = 1; day <= month.lengthOfMonth(); day++) {
        days.set(day, numbers.get(number));
        number = number % 7 + 1;
      }
      return days;
    }
  }

  record LastOfMonth(int number) implements DayRule {
    @Override
    public BitSet days(YearMonth month) {
      int last = month.lengthOfMonth();
      return only(last - Math.floorMod(numberOf(month.atDay(last)) - number, 7));
    }
  }

  record NthOfMonth(int number, int nth) implements DayRule {
    @Override
    public BitSet days(YearMonth month) {
      int day = 1 + Math.floorMod(number - numberOf(month.atDay(1)), 7) + 7 * (nth - 1);
      return day <= month.lengthOfMonth() ? only(day) : new BitSet();
    }
  }

  CronFields {
    days = List.copyOf(days);
  }

  private static int numberOf(LocalDate date) {
    return date.getDayOfWeek().getValue() % 7 + 1;
  }

  private static BitSet only(int day) {
    BitSet days = new BitSet();
    if (day >= 1) {
      days.set(day);
    }
    return days;
  }

  /** Returns true if it fires in every hour of the days on which it fires. */
  boolean everyHour() {
    return hours.cardinality() == 24;
  }

  /** Returns the number of fires on a day with fires and without a clock change. */
  int timesADay() {
    return hours.cardinality() * minutes.cardinality() * seconds.cardinality();
  }

  /** Returns the number of fires in an hour with fires. */
  int timesAnHour() {
    return minutes.cardinality() * seconds.cardinality();
  }

  /** Returns true for the first of its times on a day. */
  boolean isFirstOfDay(LocalDateTime time) {
    return isFirstOfHour(time) && time.getHour() == hours.nextSetBit(0);
  }

  /** Returns true for the first of its times in an hour. */
  boolean isFirstOfHour(LocalDateTime time) {
    return time.getMinute() == minutes.nextSetBit(0) && time.getSecond() == seconds.nextSetBit(0);
  }

  boolean allows(LocalDate date) {
    return daysOf(YearMonth.from(date)).get(date.getDayOfMonth());
  }

  private LocalTime firstTime() {
    return LocalTime.of(hours.nextSetBit(0), minutes.nextSetBit(0), seconds.nextSetBit(0));
  }

  private LocalTime lastTime() {
    return LocalTime.of(hours.length() - 1, minutes.length() - 1, seconds.length() - 1);
  }

  @Nullable LocalDateTime nextOrSame(LocalDateTime from) {
    LocalDateTime start = from.minusNanos(1).truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    if (allows(start.toLocalDate())) {
      LocalTime time = nextOrSame(start.toLocalTime());
      if (time != null) {
        return start.toLocalDate().atTime(time);
      }
    }
    YearMonth month = YearMonth.from(start);
    int day = start.getDayOfMonth() + 1;
    for (int i = 0; i <= MONTHS_AHEAD && !isAfterAll(month); i++) {
      int found = daysOf(month).nextSetBit(day);
      if (found > 0) {
        return month.atDay(found).atTime(firstTime());
      }
      month = month.plusMonths(1);
      day = 1;
    }
    return null;
  }

  @Nullable LocalDateTime previousOrSame(LocalDateTime from) {
    if (allows(from.toLocalDate())) {
      LocalTime time = previousOrSame(from.toLocalTime());
      if (time != null) {
        return from.toLocalDate().atTime(time);
      }
    }
    YearMonth month = YearMonth.from(from);
    int day = from.getDayOfMonth() - 1;
    for (int i = 0; i <= MONTHS_AHEAD && !isBeforeAll(month); i++) {
      int found = daysOf(month).previousSetBit(day);
      if (found > 0) {
        return month.atDay(found).atTime(lastTime());
      }
      month = month.minusMonths(1);
      day = 31;
    }
    return null;
  }

  private boolean isAfterAll(YearMonth month) {
    return years != null && month.getYear() >= years.length();
  }

  private boolean isBeforeAll(YearMonth month) {
    return years != null && month.getYear() < years.nextSetBit(0);
  }

  private BitSet daysOf(YearMonth month) {
    BitSet all = new BitSet();
    if (months.get(month.getMonthValue()) && (years == null || isOfYears(years, month))) {
      days.forEach(rule -> all.or(rule.days(month)));
    }
    return all;
  }

  private static boolean isOfYears(BitSet years, YearMonth month) {
    return month.getYear() >= 0 && years.get(month.getYear());
  }

  private @Nullable LocalTime nextOrSame(LocalTime from) {
    int hour = hours.nextSetBit(from.getHour());
    if (hour == from.getHour()) {
      int minute = minutes.nextSetBit(from.getMinute());
      if (minute == from.getMinute()) {
        int second = seconds.nextSetBit(from.getSecond());
        if (second >= 0) {
          return LocalTime.of(hour, minute, second);
        }
        minute = minutes.nextSetBit(minute + 1);
      }
      if (minute >= 0) {
        return LocalTime.of(hour, minute, seconds.nextSetBit(0));
      }
      hour = hours.nextSetBit(hour + 1);
    }
    return hour < 0 ? null : LocalTime.of(hour, minutes.nextSetBit(0), seconds.nextSetBit(0));
  }

  private @Nullable LocalTime previousOrSame(LocalTime from) {
    int hour = hours.previousSetBit(from.getHour());
    if (hour == from.getHour()) {
      int minute = minutes.previousSetBit(from.getMinute());
      if (minute == from.getMinute()) {
        int second = seconds.previousSetBit(from.getSecond());
        if (second >= 0) {
          return LocalTime.of(hour, minute, second);
        }
        minute = minutes.previousSetBit(minute - 1);
      }
      if (minute >= 0) {
        return LocalTime.of(hour, minute, seconds.length() - 1);
      }
      hour = hours.previousSetBit(hour - 1);
    }
    return hour < 0 ? null : LocalTime.of(hour, minutes.length() - 1, seconds.length() - 1);
  }
}
