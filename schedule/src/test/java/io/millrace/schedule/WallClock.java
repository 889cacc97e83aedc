package io.millrace.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * The local times of a zone, minute by minute over some years: a reference for schedules that
 * shares no code with them. It asks a zone for its offset at an instant and for nothing else.
 */
final class WallClock {

  static final int MINUTES_A_DAY = 1_440;

  /** A day in local time: its date and the minute with which it starts. */
  record Day(LocalDate date, int begin, boolean atMidnight) {}

  private final long firstMinute;
  private final int firstLocal;
  private final int[] local;
  private final BitSet seenBefore = new BitSet();
  private final BitSet comesAgain = new BitSet();
  private final List<Integer> jumps = new ArrayList<>();

  WallClock(ZoneId zone, int year, int years) {
    firstMinute = LocalDate.of(year, 1, 1).toEpochDay() * MINUTES_A_DAY;
    firstLocal = (int) firstMinute - 2 * MINUTES_A_DAY;
    local =
        new int
            [(int) (LocalDate.of(year + years, 1, 1).toEpochDay() * MINUTES_A_DAY - firstMinute)];
    ZoneRules rules = zone.getRules();
    int latest = Integer.MIN_VALUE;
    for (int i = 0; i < local.length; i++) {
      int offset = rules.getOffset(instant(i)).getTotalSeconds();
      if (offset % 60 != 0) {
        throw new IllegalArgumentException(zone + " has seconds in its offset at " + instant(i));
      }
      local[i] = (int) (firstMinute + i + offset / 60) - firstLocal;
      if (local[i] <= latest) {
        seenBefore.set(i);
      }
      if (i > 0 && local[i] != local[i - 1] + 1) {
        jumps.add(i);
      }
      latest = Math.max(latest, local[i]);
    }
    int earliest = Integer.MAX_VALUE;
    for (int i = local.length - 1; i >= 0; i--) {
      if (local[i] >= earliest) {
        comesAgain.set(i);
      }
      earliest = Math.min(earliest, local[i]);
    }
  }

  Instant instant(int minute) {
    return Instant.ofEpochSecond((firstMinute + minute) * 60);
  }

  int minutes() {
    return local.length;
  }

  /** Returns the minutes at which the clock was put forward or back. */
  List<Integer> jumps() {
    return jumps;
  }

  /**
   * Returns, for {@link #fires}, a bit for each minute that the clock may show, for each predicate.
   */
  static List<BitSet> allows(int year, int years, List<Predicate<LocalDateTime>> allowed) {
    LocalDate first = LocalDate.of(year, 1, 1).minusDays(2);
    long days = LocalDate.of(year + years, 1, 1).plusDays(2).toEpochDay() - first.toEpochDay();
    List<BitSet> bits = allowed.stream().map(one -> new BitSet()).toList();
    LocalDateTime time = first.atStartOfDay();
    for (int i = 0; i < days * MINUTES_A_DAY; i++) {
      for (int j = 0; j < allowed.size(); j++) {
        bits.get(j).set(i, allowed.get(j).test(time));
      }
      time = time.plusMinutes(1);
    }
    return bits;
  }

  /**
   * Returns the fires of a cron that allows these minutes, as minutes from {@code from} to {@code
   * to}.
   */
  List<Instant> fires(BitSet allowed, DstPolicy policy, boolean everyHour, int from, int to) {
    List<Instant> fires = new ArrayList<>();
    for (int i = from; i < to; i++) {
      if (fires(allowed, policy, everyHour, i)) {
        fires.add(instant(i));
      }
    }
    return fires;
  }

  private boolean fires(BitSet allowed, DstPolicy policy, boolean everyHour, int minute) {
    boolean shown = allowed.get(local[minute]);
    if (everyHour) {
      return shown;
    }
    if (policy != DstPolicy.SKIP && local[minute] > local[minute - 1] + 1) {
      int lost = allowed.nextSetBit(local[minute - 1] + 1);
      if (lost >= 0 && lost < local[minute]) {
        return true;
      }
    }
    return shown
        && switch (policy) {
          case SKIP, EARLIER -> !seenBefore.get(minute);
          case LATER -> !comesAgain.get(minute);
          case BOTH -> true;
        };
  }

  /** Returns every date that the clock shows, once. */
  List<Day> days() {
    List<Day> days = new ArrayList<>();
    long latest = Long.MIN_VALUE;
    for (int i = 0; i < local.length; i++) {
      long day = Math.floorDiv((long) local[i] + firstLocal, (long) MINUTES_A_DAY);
      if (day > latest) {
        boolean midnight = Math.floorMod((long) local[i] + firstLocal, (long) MINUTES_A_DAY) == 0;
        days.add(new Day(LocalDate.ofEpochDay(day), i, midnight));
        latest = day;
      }
    }
    days.removeFirst(); // it began before
    return days;
  }
}
