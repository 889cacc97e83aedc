package io.millrace.redis.flow;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.instance.InvalidRequestException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Upper limit of the jobs that all workers of Millrace together start in each window of time.
 *
 * @param jobs number of jobs in each window; 1 or more
 * @param window length of the window, 1 ms to a day; windows start at multiples of it since 1970
 * @param groupBy the field whose values have a limit each; null for one limit for all
 */
public record RateLimit(int jobs, Duration window, @Nullable String groupBy) {

  public RateLimit {
    requirePresent(window, "window");
    if (jobs < 1) {
      throw new InvalidRequestException(
          "A rate limit allows " + jobs + " jobs in each window; expected 1 or more.");
    }
    if (window.toMillis() < 1 || window.compareTo(Duration.ofDays(1)) > 0) {
      throw new InvalidRequestException(
          "The window of a rate limit is " + window + "; expected 1 ms to a day.");
    }
  }

  public static RateLimit of(int jobs, Duration window) {
    return new RateLimit(jobs, window, null);
  }

  /** Returns the same limit for each value of a field. */
  public RateLimit groupBy(String field) {
    return new RateLimit(jobs, window, requirePresent(field, "groupBy"));
  }
}
