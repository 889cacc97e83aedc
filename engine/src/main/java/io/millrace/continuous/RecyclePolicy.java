package io.millrace.continuous;

import io.millrace.continuous.RecycleSettings.Daily;
import io.millrace.continuous.RecycleSettings.Memory;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides whether a node is to begin anew. Pure but for the count of looks that saw it full. */
final class RecyclePolicy {

  /** A time short before midnight may be seen after it, and one of a window over midnight is. */
  private static final Duration LATE = Duration.ofHours(1);

  private final RecycleSettings settings;
  private final Instant since;
  private int full;

  RecyclePolicy(RecycleSettings settings) {
    this(settings, Instant.MIN);
  }

  /**
   * @param since from when on its times of the day count
   */
  RecyclePolicy(RecycleSettings settings, Instant since) {
    this.settings = settings;
    this.since = since;
  }

  /**
   * Why a node is to begin anew.
   *
   * @param key the same for all who decide this, however often
   * @param words for people
   * @param date the local date of a daily recycle; null for one with another cause
   */
  record Cause(String key, String words, @Nullable LocalDate date) {}

  /**
   * A node as it is now.
   *
   * @param began when its process did
   * @param heapPercent how full its heap is; negative when that is not known
   */
  record Sight(String node, Instant began, int heapPercent) {}

  /** What one look decides; empty for nothing. */
  Optional<Cause> look(Sight sight, Instant now) {
    if (!settings.enabled()) {
      return Optional.empty();
    }
    Optional<Cause> memory = memory(sight, now);
    return daily(sight, now).or(() -> age(sight, now)).or(() -> memory);
  }

  /** True when the heap is as full as it may not be, and to begin anew would not help. */
  boolean isFullTooSoon(Sight sight, Instant now) {
    Memory memory = settings.memory();
    return memory != null && full >= memory.samples() && isTooYoung(memory, sight, now);
  }

  private Optional<Cause> daily(Sight sight, Instant now) {
    Daily daily = settings.daily();
    if (daily == null) {
      return Optional.empty();
    }
    LocalDate date = LocalDate.ofInstant(now, daily.zone());
    LocalDate before = date.minusDays(1);
    Instant latest = due(sight.node(), daily, before).plus(LATE);
    Optional<Cause> today = daily(sight, now, daily, date);
    return today.isEmpty() && now.isBefore(latest) ? daily(sight, now, daily, before) : today;
  }

  private Optional<Cause> daily(Sight sight, Instant now, Daily daily, LocalDate date) {
    Instant due = due(sight.node(), daily, date);
    return now.isBefore(due) || !sight.began().isBefore(due) || due.isBefore(since)
        ? Optional.empty()
        : Optional.of(
            new Cause(
                "recycle|" + sight.node() + "|" + date,
                "daily, " + date + " " + daily.zone(),
                date));
  }

  private static Instant due(String node, Daily daily, LocalDate date) {
    return ZonedDateTime.of(date, daily.at(), daily.zone())
        .toInstant()
        .plus(spread(node, date, daily.window()));
  }

  private static Duration spread(String node, LocalDate date, Duration window) {
    // Names and dates in a row have codes in a row, which the factor throws far apart.
    long mixed = (node + date).hashCode() * 0x9E3779B97F4A7C15L;
    long seconds = window.toSeconds();
    return seconds == 0
        ? Duration.ZERO
        : Duration.ofSeconds(Math.floorMod(mixed ^ (mixed >>> 32), seconds));
  }

  private Optional<Cause> age(Sight sight, Instant now) {
    Duration most = settings.maxAge();
    if (most == null) {
      return Optional.empty();
    }
    Duration window = settings.daily() == null ? Duration.ZERO : settings.daily().window();
    return sight.began().plus(most).plus(window).isAfter(now)
        ? Optional.empty()
        : Optional.of(once("age", sight, "its process has run since " + sight.began()));
  }

  private Optional<Cause> memory(Sight sight, Instant now) {
    Memory memory = settings.memory();
    if (memory == null) {
      return Optional.empty();
    }
    full = sight.heapPercent() >= memory.percent() ? full + 1 : 0;
    return full < memory.samples() || isTooYoung(memory, sight, now)
        ? Optional.empty()
        : Optional.of(
            once("memory", sight, sight.heapPercent() + " percent of its heap stay full"));
  }

  private static boolean isTooYoung(Memory memory, Sight sight, Instant now) {
    return sight.began().plus(memory.minInterval()).isAfter(now);
  }

  /** Once per process. */
  private static Cause once(String kind, Sight sight, String words) {
    return new Cause(kind + "|" + sight.node() + "|" + sight.began(), words, null);
  }
}
