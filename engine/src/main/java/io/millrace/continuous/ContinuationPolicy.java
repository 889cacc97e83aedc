package io.millrace.continuous;

import io.millrace.instance.TimeLimits;
import java.time.Duration;

/**
 * The policy by which a run ends and the next one starts on the same node, which frees its memory.
 *
 * @param enabled false for continuation on request only
 * @param minAge minimum age of the run; the other conditions are those of {@link
 *     ContinuationConditions}
 * @param checkEvery how often the conditions are checked
 */
public record ContinuationPolicy(boolean enabled, Duration minAge, Duration checkEvery) {

  /** Continuation after an hour, checked every minute. */
  public static final ContinuationPolicy HOURLY =
      new ContinuationPolicy(true, Duration.ofHours(1), Duration.ofMinutes(1));

  /** Continuation on request only. */
  public static final ContinuationPolicy OFF =
      new ContinuationPolicy(false, Duration.ofHours(1), Duration.ofMinutes(1));

  public ContinuationPolicy {
    minAge = TimeLimits.clamp(minAge);
    checkEvery = TimeLimits.clamp(checkEvery);
    if (minAge.isNegative() || !checkEvery.isPositive()) {
      throw new IllegalArgumentException(
          "Continuation: the least age is "
              + minAge
              + " and the check comes every "
              + checkEvery
              + ", expected zero or more and more than zero.");
    }
  }

  /** Returns a policy that continues a run after {@code age}, checked every minute. */
  public static ContinuationPolicy after(Duration age) {
    return new ContinuationPolicy(true, age, HOURLY.checkEvery);
  }
}
