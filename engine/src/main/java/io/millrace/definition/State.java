package io.millrace.definition;

import io.millrace.instance.TimeLimits;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A state of a definition.
 *
 * @param handler null for manual and end states
 * @param retry policy after a failed attempt
 * @param timeout the longest time for one attempt; null for no limit
 * @param failureState target of an instance that has failed for good; null to end as failed
 * @param entrance condition that an instance in this state waits for before it runs; null for none
 */
public record State(
    String name,
    StateType type,
    @Nullable StateHandler handler,
    RetryPolicy retry,
    @Nullable Duration timeout,
    @Nullable String failureState,
    @Nullable EntryCondition entrance) {

  public State {
    timeout = TimeLimits.limitedOrNull(timeout);
  }

  /** A condition under which the handler of a state runs. */
  public sealed interface EntryCondition {}

  /**
   * The signal that a wait state awaits.
   *
   * @param signal the signal's name
   * @param timeout the longest wait; null for no limit
   */
  public record Await(String signal, @Nullable Duration timeout) implements EntryCondition {
    public Await {
      timeout = TimeLimits.limitedOrNull(timeout);
    }
  }

  /** A message over a channel, where the engine has a transport for it. */
  public record Channel(String name) implements EntryCondition {}

  /** Returns true if the handler computes for long and therefore runs on a platform thread. */
  public boolean cpuBound() {
    return handler instanceof CpuBoundHandler;
  }

  /** Returns the awaited signal of a wait state; null for other states. */
  public @Nullable Await await() {
    return entrance instanceof Await await ? await : null;
  }

  /** Returns the channel over which an instance is handed over to this state; null for none. */
  public @Nullable String channel() {
    return entrance instanceof Channel channel ? channel.name() : null;
  }
}
