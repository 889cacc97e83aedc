package io.millrace.continuous;

import io.millrace.instance.TimeLimits;
import java.time.Duration;

/**
 * Settings of continuous workflows on this node. Immutable; the methods return changed copies.
 *
 * @param scanInterval how often the engine looks for workflows without an owner
 * @param maxConcurrentStarts maximum number of triggers that are opened at a time
 * @param continuation policy of workflows without one of their own
 * @param rebalancePercent maximum percentage of a group's workflows that a node releases in a
 *     minute, so that others have as many; 0 for none
 * @param maxOfferedEvents maximum number of offered events that wait for one workflow; further ones
 *     are refused
 * @param polls settings of the polling of triggers
 */
public record ContinuousSettings(
    Duration scanInterval,
    int maxConcurrentStarts,
    ContinuationPolicy continuation,
    int rebalancePercent,
    int maxOfferedEvents,
    PollSettings polls) {

  /**
   * Settings of the polling of triggers.
   *
   * @param concurrency maximum number of polls at a time
   * @param slowAfter a poll that takes longer is logged, and another runs beside it
   */
  public record PollSettings(int concurrency, Duration slowAfter) {
    public PollSettings {
      slowAfter = TimeLimits.clamp(slowAfter);
      require(concurrency >= 1, "concurrent polls", concurrency, "1 or more");
      require(slowAfter.isPositive(), "slow after", slowAfter, "more than zero");
    }
  }

  public ContinuousSettings {
    scanInterval = TimeLimits.clamp(scanInterval);
    require(scanInterval.isPositive(), "look every", scanInterval, "more than zero");
    require(maxConcurrentStarts >= 1, "concurrent starts", maxConcurrentStarts, "1 or more");
    require(
        rebalancePercent >= 0 && rebalancePercent <= 100,
        "rebalance percent",
        rebalancePercent,
        "0 to 100");
    require(maxOfferedEvents >= 1, "offered events", maxOfferedEvents, "1 or more");
  }

  /**
   * Returns the default settings: a scan every 2 seconds, 100 starts and 64 polls at a time, hourly
   * continuation, a rebalance of 5 percent a minute, 10,000 offered events for a workflow.
   */
  public static ContinuousSettings defaults() {
    return new ContinuousSettings(
        Duration.ofSeconds(2),
        100,
        ContinuationPolicy.HOURLY,
        5,
        10_000,
        new PollSettings(64, Duration.ofSeconds(10)));
  }

  public ContinuousSettings scanInterval(Duration interval) {
    return new ContinuousSettings(
        interval, maxConcurrentStarts, continuation, rebalancePercent, maxOfferedEvents, polls);
  }

  public ContinuousSettings maxConcurrentStarts(int most) {
    return new ContinuousSettings(
        scanInterval, most, continuation, rebalancePercent, maxOfferedEvents, polls);
  }

  public ContinuousSettings continuation(ContinuationPolicy policy) {
    return new ContinuousSettings(
        scanInterval, maxConcurrentStarts, policy, rebalancePercent, maxOfferedEvents, polls);
  }

  public ContinuousSettings rebalancePercent(int percent) {
    return new ContinuousSettings(
        scanInterval, maxConcurrentStarts, continuation, percent, maxOfferedEvents, polls);
  }

  public ContinuousSettings maxOfferedEvents(int most) {
    return new ContinuousSettings(
        scanInterval, maxConcurrentStarts, continuation, rebalancePercent, most, polls);
  }

  public ContinuousSettings polls(PollSettings newPolls) {
    return new ContinuousSettings(
        scanInterval,
        maxConcurrentStarts,
        continuation,
        rebalancePercent,
        maxOfferedEvents,
        newPolls);
  }

  private static void require(boolean valid, String name, Object value, String expected) {
    if (!valid) {
      throw new IllegalArgumentException(
          "Continuous setting: " + name + " is " + value + ", expected " + expected + ".");
    }
  }
}
