package io.millrace.continuous;

import io.millrace.continuous.RecycleSettings.Daily;
import io.millrace.continuous.RecycleSettings.HeapLimit;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The decision whether a node is recycled. Pure, except for the count of polls with a full heap.
 */
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
   * The cause of a recycle.
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
  record NodeSnapshot(String node, Instant began, int heapPercent) {}

  /** Returns the cause of a recycle; empty for none. */
  Optional<Cause> evaluate(NodeSnapshot nodeSnapshot, Instant now) {
    if (!settings.enabled()) {
      return Optional.empty();
    }
    Optional<Cause> memory = memory(nodeSnapshot, now);
    return daily(nodeSnapshot, now).or(() -> age(nodeSnapshot, now)).or(() -> memory);
  }

  /** True if the heap exceeds its limit and a recycle would not help. */
  boolean isFullTooSoon(NodeSnapshot nodeSnapshot, Instant now) {
    HeapLimit heapLimit = settings.memory();
    return heapLimit != null
        && full >= heapLimit.samples()
        && isTooYoung(heapLimit, nodeSnapshot, now);
  }

  private Optional<Cause> daily(NodeSnapshot nodeSnapshot, Instant now) {
    Daily daily = settings.daily();
    if (daily == null) {
      return Optional.empty();
    }
    LocalDate date = LocalDate.ofInstant(now, daily.zone());
    LocalDate before = date.minusDays(1);
    Instant latest = due(nodeSnapshot.node(), daily, before).plus(LATE);
    Optional<Cause> today = daily(nodeSnapshot, now, daily, date);
    return today.isEmpty() && now.isBefore(latest)
        ? daily(nodeSnapshot, now, daily, before)
        : today;
  }

  private Optional<Cause> daily(
      NodeSnapshot nodeSnapshot, Instant now, Daily daily, LocalDate date) {
    Instant due = due(nodeSnapshot.node(), daily, date);
    return now.isBefore(due) || !nodeSnapshot.began().isBefore(due) || due.isBefore(since)
        ? Optional.empty()
        : Optional.of(
            new Cause(
                "recycle|" + nodeSnapshot.node() + "|" + date,
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

  private Optional<Cause> age(NodeSnapshot nodeSnapshot, Instant now) {
    Duration most = settings.maxAge();
    if (most == null) {
      return Optional.empty();
    }
    Duration window = settings.daily() == null ? Duration.ZERO : settings.daily().window();
    return nodeSnapshot.began().plus(most).plus(window).isAfter(now)
        ? Optional.empty()
        : Optional.of(
            once("age", nodeSnapshot, "its process has run since " + nodeSnapshot.began()));
  }

  private Optional<Cause> memory(NodeSnapshot nodeSnapshot, Instant now) {
    HeapLimit heapLimit = settings.memory();
    if (heapLimit == null) {
      return Optional.empty();
    }
    full = nodeSnapshot.heapPercent() >= heapLimit.percent() ? full + 1 : 0;
    return full < heapLimit.samples() || isTooYoung(heapLimit, nodeSnapshot, now)
        ? Optional.empty()
        : Optional.of(
            once(
                "memory",
                nodeSnapshot,
                nodeSnapshot.heapPercent() + " percent of its heap stay full"));
  }

  private static boolean isTooYoung(HeapLimit heapLimit, NodeSnapshot nodeSnapshot, Instant now) {
    return nodeSnapshot.began().plus(heapLimit.minInterval()).isAfter(now);
  }

  /** Once per process. */
  private static Cause once(String kind, NodeSnapshot nodeSnapshot, String words) {
    return new Cause(kind + "|" + nodeSnapshot.node() + "|" + nodeSnapshot.began(), words, null);
  }
}
