package io.millrace.continuous;

import io.millrace.instance.TimeLimits;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the automatic recycle of a node, which frees what its process has accumulated. Each
 * recycle is a rollout of this one node, so that no two nodes of a group are away at once.
 * Immutable; the methods return changed copies.
 *
 * @param enabled false for never, whatever the other settings are
 * @param daily recycle once per local date; null for never
 * @param maxAge age of the process at which it is recycled; with a daily recycle, this age plus the
 *     daily window; null for never
 * @param memory limit of a heap that stays full; null for never
 * @param request grace, minimum ready time and patience of the recycle
 */
public record RecycleSettings(
    boolean enabled,
    @Nullable Daily daily,
    @Nullable Duration maxAge,
    @Nullable HeapLimit memory,
    RolloutRequest request) {

  /**
   * A recycle once per local date.
   *
   * @param at start of the window; a time in a gap of the clocks is shifted by the gap, and of an
   *     ambiguous time the first counts
   * @param zone time zone of dates and times
   * @param window duration over which the nodes are spread, each by its name and the date
   */
  public record Daily(LocalTime at, ZoneId zone, Duration window) {
    public Daily {
      require(
          !window.isNegative() && window.compareTo(Duration.ofHours(12)) <= 0,
          "window",
          window,
          "zero to 12 hours");
    }
  }

  /**
   * The limit of a heap that stays full.
   *
   * @param percent of the heap that is used after a collection, 1 to 100
   * @param samples number of consecutive samples, one per minute, that must exceed it
   * @param minInterval minimum age of the process: a restart would not help a younger one
   */
  public record HeapLimit(int percent, int samples, Duration minInterval) {
    public HeapLimit {
      minInterval = TimeLimits.clamp(minInterval);
      require(percent >= 1 && percent <= 100, "memory", percent, "1 to 100 percent");
      require(samples >= 1, "samples of memory", samples, "1 or more");
      require(!minInterval.isNegative(), "least interval", minInterval, "zero or more");
    }
  }

  public RecycleSettings {
    require(
        maxAge == null || maxAge.compareTo(Duration.ofMinutes(1)) >= 0,
        "greatest age",
        maxAge,
        "a minute or more");
    maxAge = TimeLimits.limitedOrNull(maxAge);
    request = request.recycle();
  }

  private static final HeapLimit USUAL_MEMORY = new HeapLimit(85, 3, Duration.ofHours(1));

  /** Creates enabled settings. */
  public RecycleSettings(
      @Nullable Daily daily,
      @Nullable Duration maxAge,
      @Nullable HeapLimit memory,
      RolloutRequest request) {
    this(true, daily, maxAge, memory, request);
  }

  /**
   * Returns settings for a daily recycle from 04:30, spread over an hour; at the latest at an age
   * of 25 hours; and when 85 percent of the heap are used in three samples in a row, an hour after
   * the start at the earliest.
   */
  public static RecycleSettings daily(ZoneId zone) {
    return new RecycleSettings(
        new Daily(LocalTime.of(4, 30), zone, Duration.ofHours(1)),
        Duration.ofHours(25),
        USUAL_MEMORY,
        RolloutRequest.all());
  }

  /** Returns a copy that is enabled or disabled. */
  public RecycleSettings enabled(boolean whether) {
    return new RecycleSettings(whether, daily, maxAge, memory, request);
  }

  public RecycleSettings at(LocalTime time, ZoneId zone, Duration window) {
    return new RecycleSettings(enabled, new Daily(time, zone, window), maxAge, memory, request);
  }

  public RecycleSettings maxAge(@Nullable Duration age) {
    return new RecycleSettings(enabled, daily, age, memory, request);
  }

  public RecycleSettings memory(@Nullable HeapLimit limit) {
    return new RecycleSettings(enabled, daily, maxAge, limit, request);
  }

  /**
   * Sets the percentage of the heap above which the node is recycled. The number of samples and the
   * minimum age stay, or are the defaults.
   *
   * @param percent 1 to 100; null for never
   */
  public RecycleSettings heapPercent(@Nullable Integer percent) {
    HeapLimit before = memory == null ? USUAL_MEMORY : memory;
    return memory(
        percent == null ? null : new HeapLimit(percent, before.samples, before.minInterval));
  }

  public RecycleSettings request(RolloutRequest how) {
    return new RecycleSettings(enabled, daily, maxAge, memory, how);
  }

  private static void require(boolean valid, String name, @Nullable Object value, String expected) {
    if (!valid) {
      throw new IllegalArgumentException(
          "Recycle setting: " + name + " is " + value + ", expected " + expected + ".");
    }
  }
}
