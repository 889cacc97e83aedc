package io.millrace.continuous;

import io.millrace.instance.TimeLimits;
import java.time.Duration;

/**
 * Settings of continuous workflows on this node. Immutable; the methods return changed copies.
 *
 * @param scanInterval how often it is looked for workflows that nobody runs
 * @param maxConcurrentStarts the most triggers that are opened at a time
 * @param continuation of workflows that say nothing of it
 * @param rebalancePercent the most of a group's workflows that a node gives away in a minute, so
 *     that others have as many; 0 for none
 * @param maxWaitingEvents the most events from outside that wait for one workflow; further ones are
 *     refused
 * @param polls how triggers are asked
 */
public record ContinuousSettings(
    Duration scanInterval,
    int maxConcurrentStarts,
    ContinuationPolicy continuation,
    int rebalancePercent,
    int maxWaitingEvents,
    PollSettings polls) {

  /**
   * Settings of the polling of triggers.
   *
   * @param concurrency the most that are asked at a time
   * @param slowAfter one that takes longer is warned about, and another is asked beside it
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
    require(maxWaitingEvents >= 1, "waiting events", maxWaitingEvents, "1 or more");
  }

  /**
   * A look every 2 seconds, 100 starts and 64 polls at a time, hourly continuation, a rebalance of
   * 5 percent a minute, 10,000 events that wait for a workflow.
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
        interval, maxConcurrentStarts, continuation, rebalancePercent, maxWaitingEvents, polls);
  }

  public ContinuousSettings maxConcurrentStarts(int most) {
    return new ContinuousSettings(
        scanInterval, most, continuation, rebalancePercent, maxWaitingEvents, polls);
  }

  public ContinuousSettings continuation(ContinuationPolicy policy) {
    return new ContinuousSettings(
        scanInterval, maxConcurrentStarts, policy, rebalancePercent, maxWaitingEvents, polls);
  }

  public ContinuousSettings rebalancePercent(int percent) {
    return new ContinuousSettings(
        scanInterval, maxConcurrentStarts, continuation, percent, maxWaitingEvents, polls);
  }

  public ContinuousSettings maxWaitingEvents(int most) {
    return new ContinuousSettings(
        scanInterval, maxConcurrentStarts, continuation, rebalancePercent, most, polls);
  }

  public ContinuousSettings polls(PollSettings newPolls) {
    return new ContinuousSettings(
        scanInterval,
        maxConcurrentStarts,
        continuation,
        rebalancePercent,
        maxWaitingEvents,
        newPolls);
  }

  private static void require(boolean valid, String name, Object value, String expected) {
    if (!valid) {
      throw new IllegalArgumentException(
          "Continuous setting: " + name + " is " + value + ", expected " + expected + ".");
    }
  }
}
