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

  /**
   * Time after midnight in which a recycle due shortly before may still be detected. A window over
   * midnight needs it, too.
   */
  private static final Duration LATE = Duration.ofHours(1);

  private final RecycleSettings settings;
  private final Instant since;
  private int full;

  RecyclePolicy(RecycleSettings settings) {
    this(settings, Instant.MIN);
  }

  /**
   * @param since time from which its times of day count
   */
  RecyclePolicy(RecycleSettings settings, Instant since) {
    this.settings = settings;
    this.since = since;
  }

  /**
   * The cause of a recycle.
   *
   * @param key the same for all nodes that decide this, however often
   * @param words for people
   * @param date the date of the daily recycle that this is, or stands for; null if there is no
   *     daily one
   * @param daily false for a recycle that happens regardless of others on that date
   */
  record Cause(String key, String words, @Nullable LocalDate date, boolean daily) {}

  /**
   * A node as it is now.
   *
   * @param began when its process started
   * @param heapPercent how full its heap is; negative if unknown
   */
  record NodeSnapshot(String node, Instant began, int heapPercent) {}

  /** Returns the cause of a recycle; empty for none. */
  Optional<Cause> evaluate(NodeSnapshot nodeSnapshot, Instant now) {
    return evaluate(nodeSnapshot, now, "");
  }

  /**
   * Returns the cause of a recycle; empty for none.
   *
   * @param done key of a daily recycle that is not needed any more
   */
  Optional<Cause> evaluate(NodeSnapshot nodeSnapshot, Instant now, String done) {
    if (!settings.enabled()) {
      return Optional.empty();
    }
    Optional<Cause> memory = memory(nodeSnapshot, now);
    return daily(nodeSnapshot, now)
        .filter(cause -> !cause.key().equals(done))
        .or(() -> age(nodeSnapshot, now))
        .or(() -> memory);
  }

  /**
   * Returns the date of the daily recycle that a recycle at {@code at} stands for. In a window over
   * midnight, this is the date before until its recycle is due.
   *
   * @return null if there is no daily recycle
   */
  @Nullable LocalDate dateOf(String node, Instant at) {
    Daily daily = settings.daily();
    if (daily == null) {
      return null;
    }
    LocalDate date = LocalDate.ofInstant(at, daily.zone());
    LocalDate before = date.minusDays(1);
    return at.isBefore(due(node, daily, before)) ? before : date;
  }

  /** Returns true if the heap exceeds its limit and a recycle would not help. */
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
                date,
                true));
  }

  private static Instant due(String node, Daily daily, LocalDate date) {
    return ZonedDateTime.of(date, daily.at(), daily.zone())
        .toInstant()
        .plus(spread(node, date, daily.window()));
  }

  private static Duration spread(String node, LocalDate date, Duration window) {
    // Consecutive names and dates have consecutive hash codes, which the factor spreads.
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
            once("age", nodeSnapshot, now, "its process has run since " + nodeSnapshot.began()));
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
                now,
                nodeSnapshot.heapPercent() + " percent of its heap stay full"));
  }

  private static boolean isTooYoung(HeapLimit heapLimit, NodeSnapshot nodeSnapshot, Instant now) {
    return nodeSnapshot.began().plus(heapLimit.minInterval()).isAfter(now);
  }

  /** Returns a cause that occurs once per process. */
  private Cause once(String kind, NodeSnapshot nodeSnapshot, Instant now, String words) {
    String node = nodeSnapshot.node();
    return new Cause(
        kind + "|" + node + "|" + nodeSnapshot.began(), words, dateOf(node, now), false);
  }
}
