package io.millrace.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * The local times of a cron as instants. Between two changes of the clock an instant and its local
 * time differ by a constant, so each such stretch is searched by local time. The policy affects
 * only the start and the end of a stretch.
 */
record CronTimeline(CronExpression cron, DstPolicy policy, ZoneId zone) implements Timeline {

  /** Number of years within which every cron that ever fires again does so. */
  private static final int YEARS_AHEAD = 100;

  /** Distance beyond which no local time repeats, since no clock was ever changed by so much. */
  private static final Duration FAR = Duration.ofDays(2);

  /**
   * The time between two changes of the clock.
   *
   * @param begin the change with which it starts; null for the start of time
   * @param end the change that ends it; null for never
   */
  private record Stretch(
      ZoneOffset offset, @Nullable ZoneOffsetTransition begin, @Nullable ZoneOffsetTransition end) {

    LocalDateTime local(Instant instant) {
      return LocalDateTime.ofEpochSecond(instant.getEpochSecond(), instant.getNano(), offset);
    }

    /**
     * Returns true if none of the local times in between is lost, or occurs in another stretch too.
     */
    boolean isUntouched(Instant from, Instant to) {
      return (begin == null || !from.isBefore(begin.getInstant().plus(begin.getDuration().abs())))
          && (end == null || !to.isAfter(end.getInstant().minus(end.getDuration().abs())));
    }
  }

  @Override
  public @Nullable Instant first(Instant created) {
    return next(created);
  }

  @Override
  public @Nullable Instant next(Instant instant) {
    Instant limit = instant.atZone(zone).plusYears(YEARS_AHEAD).toInstant();
    Instant from = instant.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    while (from.isBefore(limit)) {
      Stretch stretch = stretchOf(from);
      if (firesAfterGap(stretch, from)) {
        return from;
      }
      LocalDateTime local = cron.nextOrSame(laterOf(stretch.local(from), opening(stretch)));
      LocalDateTime closing = closing(stretch);
      if (local != null && (closing == null || local.isBefore(closing))) {
        return local.toInstant(stretch.offset());
      }
      ZoneOffsetTransition end = stretch.end();
      boolean farFromEnd = end == null || from.isBefore(end.getInstant().minus(FAR));
      if (end == null || (local == null && farFromEnd)) {
        return null;
      }
      from = end.getInstant();
      if (local != null && farFromEnd) {
        from = laterOf(from, local.toInstant(stretch.offset()).minus(FAR));
      }
    }
    return null;
  }

  @Override
  public @Nullable Instant previous(Instant instant) {
    Instant limit = instant.atZone(zone).minusYears(YEARS_AHEAD).toInstant();
    Instant to = instant.minusNanos(1).truncatedTo(ChronoUnit.SECONDS);
    while (to.isAfter(limit)) {
      Stretch stretch = stretchOf(to);
      LocalDateTime local = cron.previousOrSame(earlierOf(stretch.local(to), closing(stretch)));
      if (local != null && !local.isBefore(begin(stretch))) {
        return local.toInstant(stretch.offset());
      }
      ZoneOffsetTransition begin = stretch.begin();
      boolean farFromBegin = begin == null || to.isAfter(begin.getInstant().plus(FAR));
      if (begin == null || (local == null && farFromBegin)) {
        return null;
      }
      if (firesAfterGap(stretch, begin.getInstant())) {
        return begin.getInstant();
      }
      to = begin.getInstant().minusSeconds(1);
      if (local != null && farFromBegin) {
        to = earlierOf(to, local.toInstant(stretch.offset()).plus(FAR));
      }
    }
    return null;
  }

  /** Returns the window from the previous fire, or from the start of 1970. */
  @Override
  public DataWindow window(Instant slot) {
    Instant from = previous(slot);
    return new DataWindow(from == null ? Instant.EPOCH : from, slot);
  }

  /** Counts slots. Whole days and hours without a change of the clock are multiplied. */
  @Override
  public long count(Instant first, Instant last) {
    CronFields fields = cron.fields();
    long count = 0;
    Instant at = first;
    while (at != null && !at.isAfter(last)) {
      Stretch stretch = stretchOf(at);
      LocalDateTime local = stretch.local(at);
      Instant day = local.toLocalDate().plusDays(1).atStartOfDay().toInstant(stretch.offset());
      Instant hour = local.truncatedTo(ChronoUnit.HOURS).plusHours(1).toInstant(stretch.offset());
      if (fields.isFirstOfDay(local) && day.isBefore(last) && stretch.isUntouched(at, day)) {
        count += fields.timesADay();
        at = next(day.minusNanos(1));
      } else if (fields.isFirstOfHour(local)
          && hour.isBefore(last)
          && stretch.isUntouched(at, hour)) {
        count += fields.timesAnHour();
        at = next(hour.minusNanos(1));
      } else {
        count++;
        at = next(at);
      }
    }
    return count;
  }

  private Stretch stretchOf(Instant instant) {
    ZoneRules rules = zone.getRules();
    return new Stretch(
        rules.getOffset(instant),
        rules.previousTransition(instant.plusNanos(1)),
        rules.nextTransition(instant));
  }

  /** Returns true if {@code instant} is the end of a gap that contains times of this cron. */
  private boolean firesAfterGap(Stretch stretch, Instant instant) {
    ZoneOffsetTransition change = stretch.begin();
    if (change == null
        || !change.isGap()
        || policy == DstPolicy.SKIP
        || cron.fields().everyHour()
        || !change.getInstant().equals(instant)) {
      return false;
    }
    LocalDateTime lost = cron.nextOrSame(change.getDateTimeBefore());
    return lost != null && lost.isBefore(change.getDateTimeAfter());
  }

  /** Returns the local time from which a stretch has fires of its own. */
  private @Nullable LocalDateTime opening(Stretch stretch) {
    ZoneOffsetTransition begin = stretch.begin();
    return begin != null && isSetBack(begin) && firstTimeOnly() ? begin.getDateTimeBefore() : null;
  }

  /** Returns the local time before which a stretch has fires of its own; null for no end. */
  private @Nullable LocalDateTime closing(Stretch stretch) {
    ZoneOffsetTransition end = stretch.end();
    if (end == null) {
      return null;
    }
    return isSetBack(end) && secondTimeOnly() ? end.getDateTimeAfter() : end.getDateTimeBefore();
  }

  private LocalDateTime begin(Stretch stretch) {
    LocalDateTime opening = opening(stretch);
    ZoneOffsetTransition begin = stretch.begin();
    if (opening != null) {
      return opening;
    }
    return begin == null ? LocalDateTime.MIN : begin.getDateTimeAfter();
  }

  private boolean firstTimeOnly() {
    return !cron.fields().everyHour() && (policy == DstPolicy.SKIP || policy == DstPolicy.EARLIER);
  }

  private boolean secondTimeOnly() {
    return !cron.fields().everyHour() && policy == DstPolicy.LATER;
  }

  private static boolean isSetBack(ZoneOffsetTransition change) {
    return change.isOverlap();
  }

  private static Instant laterOf(Instant one, Instant other) {
    return other.isAfter(one) ? other : one;
  }

  private static Instant earlierOf(Instant one, Instant other) {
    return other.isBefore(one) ? other : one;
  }

  private static LocalDateTime laterOf(LocalDateTime one, @Nullable LocalDateTime other) {
    return other != null && other.isAfter(one) ? other : one;
  }

  /** Returns the last second before {@code end}, or {@code one} if that is earlier. */
  private static LocalDateTime earlierOf(LocalDateTime one, @Nullable LocalDateTime end) {
    return end != null && !end.isAfter(one) ? end.minusSeconds(1) : one;
  }
}
