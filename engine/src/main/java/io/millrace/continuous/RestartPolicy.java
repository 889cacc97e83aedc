package io.millrace.continuous;

import io.millrace.instance.TimeLimits;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;

/**
 * The policy after a failure of a trigger: it is opened again without end, with growing pauses.
 * Immutable.
 *
 * @param pauses from the first failure on
 * @param healthyAfter a run that lasted this long resets the pauses
 * @param loop limit from which failures are a crash loop
 */
public record RestartPolicy(RetryPolicy pauses, Duration healthyAfter, CrashLoop loop) {

  /**
   * The limit from which failures need attention.
   *
   * @param most maximum number of failures within the time that are not yet a crash loop
   */
  public record CrashLoop(int most, Duration within) {
    public CrashLoop {
      within = TimeLimits.clamp(within);
    }
  }

  public RestartPolicy {
    healthyAfter = TimeLimits.clamp(healthyAfter);
    if (!healthyAfter.isPositive() || loop.most < 1 || !loop.within.isPositive()) {
      throw new IllegalArgumentException(
          "Restart policy: healthyAfter is "
              + healthyAfter
              + " and the crash loop is "
              + loop
              + ", expected times of more than zero and 1 failure or more.");
    }
  }

  /**
   * Returns a policy with pauses from a second to a minute, doubling, a fifth of each random. A run
   * is healthy after ten minutes; more than ten failures in ten minutes are a crash loop.
   */
  public static RestartPolicy permanent() {
    return new RestartPolicy(
        RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1)),
        Duration.ofMinutes(10),
        new CrashLoop(10, Duration.ofMinutes(10)));
  }
}
