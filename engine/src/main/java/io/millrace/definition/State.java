package io.millrace.definition;

import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A state of a definition.
 *
 * @param handler null for manual and end states
 * @param retry what happens after a failed attempt
 * @param timeout the longest time for one attempt; null for no limit
 * @param failureState where a given-up instance goes; null to end as failed
 * @param await what a wait state waits for; null for others
 */
public record State(
    String name,
    StateType type,
    @Nullable StateHandler handler,
    RetryPolicy retry,
    @Nullable Duration timeout,
    @Nullable String failureState,
    @Nullable Await await) {

  /**
   * What a wait state waits for.
   *
   * @param signal the signal's name
   * @param timeout the longest wait; null for no limit
   */
  public record Await(String signal, @Nullable Duration timeout) {}
}
