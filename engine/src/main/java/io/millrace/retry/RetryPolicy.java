package io.millrace.retry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Exponential back-off with jitter and limits. Immutable; the methods return changed copies.
 *
 * @param firstDelay the wait after the first failure; later waits double
 * @param maxDelay the longest wait
 * @param jitter the random share of each wait, 0 to 1; spreads retries that would otherwise
 *     coincide
 * @param maxAttempts attempts in all, the first one included; at least 1
 * @param maxElapsed no further attempt once this much time has passed since the state was entered;
 *     null for no limit
 * @param nonRetryable exception classes that end retrying at once, also as a cause at any depth
 */
public record RetryPolicy(
    Duration firstDelay,
    Duration maxDelay,
    double jitter,
    int maxAttempts,
    @Nullable Duration maxElapsed,
    List<Class<? extends Throwable>> nonRetryable) {

  private static final int MAX_CAUSES = 50;
  private static final Duration MAX_DELAY = Duration.ofDays(365_000);

  public RetryPolicy {
    require(!firstDelay.isNegative(), "firstDelay", firstDelay, "zero or more");
    require(
        maxDelay.compareTo(firstDelay) >= 0,
        "maxDelay",
        maxDelay,
        "at least firstDelay, " + firstDelay);
    require(maxDelay.compareTo(MAX_DELAY) <= 0, "maxDelay", maxDelay, "at most " + MAX_DELAY);
    require(jitter >= 0 && jitter <= 1, "jitter", jitter, "between 0 and 1");
    require(maxAttempts >= 1, "maxAttempts", maxAttempts, "1 or more; the first attempt counts");
    require(
        maxElapsed == null || !maxElapsed.isNegative(), "maxElapsed", maxElapsed, "zero or more");
    nonRetryable = List.copyOf(nonRetryable);
  }

  /**
   * Returns a policy that doubles the wait from {@code firstDelay} up to {@code maxDelay}: 10
   * attempts, a fifth of each wait random.
   */
  public static RetryPolicy exponential(Duration firstDelay, Duration maxDelay) {
    return new RetryPolicy(firstDelay, maxDelay, 0.2, 10, null, List.of());
  }

  /** Returns a policy that waits the same time before each retry. */
  public static RetryPolicy fixed(Duration delay) {
    return exponential(delay, delay);
  }

  /** Returns a policy that never retries. */
  public static RetryPolicy never() {
    return fixed(Duration.ZERO).maxAttempts(1);
  }

  public RetryPolicy maxAttempts(int attempts) {
    return new RetryPolicy(firstDelay, maxDelay, jitter, attempts, maxElapsed, nonRetryable);
  }

  public RetryPolicy jitter(double share) {
    return new RetryPolicy(firstDelay, maxDelay, share, maxAttempts, maxElapsed, nonRetryable);
  }

  public RetryPolicy maxElapsed(Duration limit) {
    return new RetryPolicy(firstDelay, maxDelay, jitter, maxAttempts, limit, nonRetryable);
  }

  /** Returns a policy with further exception classes that end retrying at once. */
  @SafeVarargs
  public final RetryPolicy neverOn(Class<? extends Throwable>... classes) {
    List<Class<? extends Throwable>> all = new ArrayList<>(nonRetryable);
    for (Class<? extends Throwable> type : classes) {
      all.add(type);
    }
    return new RetryPolicy(firstDelay, maxDelay, jitter, maxAttempts, maxElapsed, all);
  }

  /**
   * Decides about a failed attempt.
   *
   * @param attempt the number of the attempt that failed, from 1
   * @param elapsed time since the state was entered
   * @param failure the exception; null if the handler itself answered that it failed
   */
  public RetryDecision decide(
      int attempt, Duration elapsed, @Nullable Throwable failure, RandomGenerator random) {
    Throwable fatal = findNonRetryable(failure);
    if (fatal != null) {
      return new RetryDecision.GiveUp("not retried: " + fatal.getClass().getName());
    }
    if (attempt >= maxAttempts) {
      return new RetryDecision.GiveUp("attempt " + attempt + " of " + maxAttempts + " failed");
    }
    Duration delay = delayAfter(attempt, random);
    if (maxElapsed != null && elapsed.plus(delay).compareTo(maxElapsed) > 0) {
      return new RetryDecision.GiveUp("no attempt fits into the limit of " + maxElapsed);
    }
    return new RetryDecision.Retry(delay);
  }

  /**
   * Returns the wait after failed attempt number {@code attempt}, from 1; grows without overflow
   * for any number.
   */
  public Duration delayAfter(int attempt, RandomGenerator random) {
    long first = firstDelay.toMillis();
    long max = maxDelay.toMillis();
    int doublings = Math.min(Math.max(attempt - 1, 0), 62);
    long full = first > (max >> doublings) ? max : first << doublings;
    long spread = (long) (full * jitter);
    return Duration.ofMillis(spread == 0 ? full : full - spread + random.nextLong(spread + 1));
  }

  private @Nullable Throwable findNonRetryable(@Nullable Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++, cause = causeOf(cause)) {
      for (Class<? extends Throwable> type : nonRetryable) {
        if (type.isInstance(cause)) {
          return cause;
        }
      }
    }
    return null;
  }

  /** Returns the cause; null if the exception's own {@code getCause} throws. */
  private static @Nullable Throwable causeOf(Throwable failure) {
    try {
      return failure.getCause();
    } catch (RuntimeException e) {
      return null;
    }
  }

  private static void require(boolean valid, String name, @Nullable Object value, String expected) {
    if (!valid) {
      throw new IllegalArgumentException(
          "Retry policy: " + name + " is " + value + ", expected " + expected);
    }
  }
}
