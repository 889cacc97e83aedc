package io.millrace.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The ticks of daily windows, or the first one of each period. A unit is the range of days that is
 * computed at a time: a date, or the whole period if that is longer.
 */
record WindowTimeline(DayWindow window, ZoneId zone) implements Timeline {

  /**
   * Number of units within which there is always a window, whatever days are chosen and however
   * clocks change.
   */
  private static final int MAX_UNITS = 40;

  /** The ticks of one window, the earliest first. */
  private interface Ticks {
    int size();

    Instant get(int place);

    /** Counts the ticks before {@code instant}. */
    default int before(Instant instant) {
      int low = 0;
      int high = size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (get(middle).isBefore(instant)) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }

  /** The ticks of a window without a clock change. */
  private record Even(Instant first, Duration step, int size) implements Ticks {
    @Override
    public Instant get(int place) {
      return first.plusNanos(step.toNanos() * place);
    }
  }

  private record Listed(List<Instant> instants) implements Ticks {
    @Override
    public int size() {
      return instants.size();
    }

    @Override
    public Instant get(int place) {
      return instants.get(place);
    }
  }

  private static final Ticks NONE = new Listed(List.of());

  /**
   * Returns the first slot of a schedule created at {@code created}: an earlier tick of the current
   * period that is not late yet, or the next one.
   */
  @Override
  public @Nullable Instant first(Instant created) {
    Instant before = window.once() == null ? null : previous(created.plusNanos(1));
    return before != null && !lateAfter(before, Duration.ZERO).isBefore(created)
        ? before
        : next(created);
  }

  @Override
  public @Nullable Instant next(Instant instant) {
    LocalDate unit = plus(unitOf(instant), -2);
    Instant found = null;
    for (int i = 0; i < MAX_UNITS; i++) {
      Ticks slots = slots(unit);
      int place = slots.before(instant.plusNanos(1));
      if (place < slots.size() && (found == null || slots.get(place).isBefore(found))) {
        found = slots.get(place);
      } else if (found != null) {
        return found; // where an hour comes twice, windows of two days may mix
      }
      unit = plus(unit, 1);
    }
    return found;
  }

  @Override
  public @Nullable Instant previous(Instant instant) {
    LocalDate unit = plus(unitOf(instant), 1);
    Instant found = null;
    for (int i = 0; i < MAX_UNITS; i++) {
      Ticks slots = slots(unit);
      int place = slots.before(instant) - 1;
      if (place >= 0 && (found == null || slots.get(place).isAfter(found))) {
        found = slots.get(place);
      } else if (found != null) {
        return found;
      }
      unit = plus(unit, -1);
    }
    return found;
  }

  /**
   * Returns the data window of a tick: the time since the previous tick, or since the previous
   * period if it is due once.
   */
  @Override
  public DataWindow window(Instant slot) {
    Instant before = previous(slot);
    if (window.once() == null) {
      return new DataWindow(before == null ? Instant.EPOCH : before, slot);
    }
    return new DataWindow(before == null ? Instant.EPOCH : begin(before), begin(slot));
  }

  private Instant begin(Instant slot) {
    CalendarPeriod calendarPeriod = period();
    if (calendarPeriod == CalendarPeriod.LOCAL_HOUR) {
      ZonedDateTime local = slot.atZone(zone);
      Instant hour = slot.minusSeconds(local.toLocalTime().toSecondOfDay() % 3_600);
      ZoneOffsetTransition change = zone.getRules().previousTransition(slot.plusNanos(1));
      return change != null && change.getInstant().isAfter(hour) ? change.getInstant() : hour;
    }
    LocalDateTime begin = calendarPeriod.begin(dateOf(slot).atStartOfDay());
    return begin.toLocalDate().atStartOfDay(zone).toInstant();
  }

  @Override
  public long count(Instant first, Instant last) {
    long count = 0;
    LocalDate end = plus(unitOf(last), 1);
    for (LocalDate unit = plus(unitOf(first), -2); !unit.isAfter(end); unit = plus(unit, 1)) {
      Ticks slots = slots(unit);
      count += Math.max(0, slots.before(last.plusNanos(1)) - slots.before(first));
    }
    return count;
  }

  /**
   * Returns the time until which a tick is not late: the next tick or the end of its window; for a
   * period, the same time of its last tick. The grace applies to a tick at the end.
   */
  @Override
  public Instant lateAfter(Instant slot, Duration grace) {
    Instant last = slot;
    LocalDate day = dateOf(slot);
    CalendarPeriod once = window.once();
    if (once == CalendarPeriod.LOCAL_HOUR) {
      String hour = once.key(slot, zone);
      for (Instant tick = slot; tick != null; tick = nextOf(day, tick)) {
        last = once.key(tick, zone).equals(hour) ? tick : last;
      }
    } else if (once != null) {
      LocalDate unit = once.begin(day.atStartOfDay()).toLocalDate();
      for (LocalDate date : dates(unit)) {
        Ticks ticks = ticks(date);
        if (ticks.size() > 0) {
          last = ticks.get(ticks.size() - 1);
          day = date;
        }
      }
    }
    Instant next = last.plus(window.every());
    Instant end = end(day, last);
    Instant closes = next.isBefore(end) ? next : end;
    Instant latest = last.plus(grace);
    return closes.isBefore(latest) ? latest : closes;
  }

  /**
   * Returns the end of the window of a date; if an hour is repeated, the first end after the tick.
   */
  private Instant end(LocalDate date, Instant tick) {
    LocalDateTime local = date.atTime(window.start()).plus(window.length());
    for (Instant end : instants(local)) {
      if (!end.isBefore(tick)) {
        return end;
      }
    }
    ZoneOffsetTransition change = zone.getRules().getTransition(local);
    return change == null ? tick : change.getInstant();
  }

  private @Nullable Instant nextOf(LocalDate date, Instant tick) {
    Ticks ticks = ticks(date);
    int place = ticks.before(tick.plusNanos(1));
    return place < ticks.size() ? ticks.get(place) : null;
  }

  /**
   * Returns a name of the slot that stays the same as long as its window starts on the same day, in
   * whatever zone.
   */
  @Override
  public String key(Instant slot) {
    CalendarPeriod once = window.once();
    if (once == null) {
      LocalDateTime local = slot.atZone(zone).toLocalDateTime();
      boolean second =
          zone.getRules().getValidOffsets(local).size() > 1 && window.dst() == DstPolicy.BOTH;
      return local + (second ? zone.getRules().getOffset(slot).getId() : "");
    }
    return once == CalendarPeriod.LOCAL_HOUR
        ? once.key(slot, zone)
        : once.key(dateOf(slot).atStartOfDay(zone).toInstant(), zone);
  }

  private boolean isOncePerDays() {
    return window.once() != null && window.once() != CalendarPeriod.LOCAL_HOUR;
  }

  /** Returns the date to which the window of a slot belongs. */
  private LocalDate dateOf(Instant slot) {
    LocalDate day = slot.atZone(zone).toLocalDate();
    for (LocalDate date = day.minusDays(2); date.isBefore(day); date = date.plusDays(1)) {
      Ticks ticks = ticks(date);
      int place = ticks.before(slot);
      boolean fits = place < ticks.size() && ticks.get(place).equals(slot);
      if (fits && (place == 0 || !isOncePerDays())) {
        return date;
      }
    }
    return day;
  }

  private Ticks slots(LocalDate unit) {
    CalendarPeriod once = window.once();
    if (once == null) {
      return ticks(unit);
    }
    if (once == CalendarPeriod.LOCAL_HOUR) {
      return hours(unit);
    }
    for (LocalDate date : dates(unit)) {
      Ticks ticks = ticks(date);
      if (ticks.size() > 0) {
        return new Listed(List.of(ticks.get(0)));
      }
    }
    return NONE;
  }

  /**
   * Returns the first tick of each hour, without an hour that belongs to the previous day's window.
   */
  private Ticks hours(LocalDate date) {
    Ticks before = ticks(date.minusDays(1));
    OffsetDateTime last = before.size() == 0 ? null : hour(before.get(before.size() - 1));
    Ticks ticks = ticks(date);
    List<Instant> firsts = new ArrayList<>();
    for (int i = 0; i < ticks.size(); i++) {
      OffsetDateTime hour = hour(ticks.get(i));
      if (!hour.equals(last)) {
        firsts.add(ticks.get(i));
        last = hour;
      }
    }
    return new Listed(firsts);
  }

  /** Returns a value that is equal within a {@link CalendarPeriod#LOCAL_HOUR}. */
  private OffsetDateTime hour(Instant tick) {
    return tick.atOffset(zone.getRules().getOffset(tick)).truncatedTo(ChronoUnit.HOURS);
  }

  private Ticks ticks(LocalDate date) {
    if (!window.days().contains(date.getDayOfWeek())
        || !date.atStartOfDay(zone).toLocalDate().equals(date)) {
      return NONE;
    }
    LocalDateTime first = date.atTime(window.start());
    // Divided and multiplied as numbers, since a Duration does both with decimals.
    long every = window.every().toNanos();
    int count = (int) (window.length().toNanos() / every) + 1;
    LocalDateTime last = first.plusNanos(every * (count - 1));
    ZoneRules rules = zone.getRules();
    List<ZoneOffset> offsets = rules.getValidOffsets(first);
    if (offsets.size() == 1) {
      Instant begin = first.toInstant(offsets.getFirst());
      ZoneOffsetTransition change = rules.nextTransition(begin);
      Instant end = last.toInstant(offsets.getFirst());
      Duration most = change == null ? Duration.ZERO : change.getDuration().abs();
      if (change == null || end.isBefore(change.getInstant().minus(most))) {
        return new Even(begin, window.every(), count);
      }
    }
    TreeSet<Instant> instants = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      instants.addAll(instants(first.plusNanos(every * i)));
    }
    return new Listed(List.copyOf(instants));
  }

  private List<Instant> instants(LocalDateTime local) {
    ZoneOffsetTransition change = zone.getRules().getTransition(local);
    if (change == null) {
      return List.of(local.toInstant(zone.getRules().getOffset(local)));
    }
    if (change.isGap()) {
      return window.dst() == DstPolicy.SKIP ? List.of() : List.of(change.getInstant());
    }
    Instant once = local.toInstant(change.getOffsetBefore());
    Instant again = local.toInstant(change.getOffsetAfter());
    return switch (window.dst()) {
      case SKIP, EARLIER -> List.of(once);
      case LATER -> List.of(again);
      case BOTH -> window.once() == null ? List.of(once, again) : List.of(once);
    };
  }

  private CalendarPeriod period() {
    CalendarPeriod once = window.once();
    return once == null ? CalendarPeriod.LOCAL_DATE : once;
  }

  private LocalDate unitOf(Instant instant) {
    LocalDate date = instant.atZone(zone).toLocalDate();
    return isOfDays() ? date : period().begin(date.atStartOfDay()).toLocalDate();
  }

  private boolean isOfDays() {
    return switch (period()) {
      case LOCAL_DATE, LOCAL_HOUR -> true;
      case ISO_WEEK, LOCAL_MONTH -> false;
    };
  }

  private LocalDate plus(LocalDate unit, int units) {
    return switch (period()) {
      case LOCAL_DATE, LOCAL_HOUR -> unit.plusDays(units);
      case ISO_WEEK -> unit.plusWeeks(units);
      case LOCAL_MONTH -> unit.plusMonths(units);
    };
  }

  private List<LocalDate> dates(LocalDate unit) {
    return isOfDays() ? List.of(unit) : unit.datesUntil(plus(unit, 1)).toList();
  }
}
