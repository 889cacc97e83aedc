package io.millrace.continuous;

import io.millrace.instance.TimeLimits;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;

/**
 * What happens when a trigger fails: it is opened again for ever, with growing pauses. Immutable.
 *
 * @param pauses from the first failure on
 * @param healthyAfter a run that lasted this long makes the pauses short again
 * @param loop when failures are a crash loop
 */
public record RestartPolicy(RetryPolicy pauses, Duration healthyAfter, CrashLoop loop) {

  /**
   * When somebody should look.
   *
   * @param most failures within the time that are still no crash loop
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
   * From a second to a minute, doubling, a fifth of it random; healthy after ten minutes; a crash
   * loop after more than ten failures in ten minutes.
   */
  public static RestartPolicy permanent() {
    return new RestartPolicy(
        RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1)),
        Duration.ofMinutes(10),
        new CrashLoop(10, Duration.ofMinutes(10)));
  }
}
