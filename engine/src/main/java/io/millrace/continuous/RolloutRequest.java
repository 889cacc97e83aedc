package io.millrace.continuous;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StopReason;
import io.millrace.instance.TimeLimits;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to replace the nodes of an executor group one after another. Immutable; the methods
 * return changed copies.
 *
 * @param reason passed to the handlers of each node
 * @param nodes names of the nodes; empty for all that exist when it starts
 * @param grace how long handlers may go on; null for each executor's own
 * @param minReady how long a node must have been ready again before the next one leaves
 * @param patience how long a node may stay away before the rollout pauses
 */
public record RolloutRequest(
    StopReason reason,
    List<String> nodes,
    @Nullable Duration grace,
    Duration minReady,
    Duration patience) {

  public RolloutRequest {
    InvalidRequestException.requirePresent(reason, "The reason of a rollout");
    nodes = List.copyOf(InvalidRequestException.requirePresent(nodes, "The nodes of a rollout"));
    require(grace == null || !grace.isNegative(), "grace", grace, "zero or more");
    require(!minReady.isNegative(), "time to be ready", minReady, "zero or more");
    require(patience.isPositive(), "patience", patience, "more than zero");
    grace = TimeLimits.limitedOrNull(grace);
    minReady = TimeLimits.clamp(minReady);
    patience = TimeLimits.clamp(patience);
  }

  /**
   * Returns a request for all nodes; each must be back within 10 minutes and ready for 30 seconds.
   */
  public static RolloutRequest all() {
    return new RolloutRequest(
        StopReason.ROLLOUT, List.of(), null, Duration.ofSeconds(30), Duration.ofMinutes(10));
  }

  /** Marks the request as a recycle, which yields to a rollout. */
  public RolloutRequest recycle() {
    return new RolloutRequest(StopReason.RECYCLE, nodes, grace, minReady, patience);
  }

  public RolloutRequest nodes(String... names) {
    return new RolloutRequest(reason, List.of(names), grace, minReady, patience);
  }

  public RolloutRequest grace(Duration limit) {
    return new RolloutRequest(reason, nodes, limit, minReady, patience);
  }

  public RolloutRequest minReady(Duration least) {
    return new RolloutRequest(reason, nodes, grace, least, patience);
  }

  public RolloutRequest patience(Duration limit) {
    return new RolloutRequest(reason, nodes, grace, minReady, limit);
  }

  private static void require(boolean valid, String name, @Nullable Object value, String expected) {
    if (!valid) {
      throw new InvalidRequestException(
          "The " + name + " of a rollout is " + value + ", expected " + expected + ".");
    }
  }
}
