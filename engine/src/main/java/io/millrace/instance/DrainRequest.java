package io.millrace.instance;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An order of an operator, a rollout or a recycle that an executor stops in good order.
 *
 * @param reason passed to its handlers
 * @param grace how long handlers may go on before they are cancelled; null for the executor's own
 */
public record DrainRequest(StopReason reason, @Nullable Duration grace) {

  public DrainRequest {
    InvalidRequestException.requirePresent(reason, "The reason of a drain");
    if (grace != null && grace.isNegative()) {
      throw new InvalidRequestException(
          "The grace of a drain is " + grace + ", expected zero or more.");
    }
    grace = TimeLimits.limitedOrNull(grace);
  }

  /** Returns a request with the executor's own grace. */
  public static DrainRequest withDefaultGrace() {
    return new DrainRequest(StopReason.DRAIN, null);
  }

  public static DrainRequest within(Duration grace) {
    return new DrainRequest(StopReason.DRAIN, grace);
  }
}
