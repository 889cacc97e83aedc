package io.millrace.redis.flow;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.instance.InvalidRequestException;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Features of workers of Millrace beyond the protocol; workers in Node.js on the same queue do not
 * have them. Immutable; the methods return changed copies.
 *
 * @param retry when a job whose handler threw is retried; {@link RetryPolicy#never()} by default,
 *     as in the protocol
 * @param stallLimit how often a stalled job is recovered before it counts as failed; 0 to 1,000
 * @param stallGrace how long a job in processing must be seen without lock before it counts as
 *     stalled; longer than the pauses of any worker
 * @param handlerTimeout time after which a handler is interrupted and its job fails, or is retried
 *     as {@code retry} says; a handler that has not returned 5 s later fails for good; null for no
 *     limit
 * @param rateLimit null for none
 * @param maxDeadJobs how many failed jobs are kept in the list of dead ones; the oldest are removed
 *     first
 */
public record QueuePolicy(
    RetryPolicy retry,
    int stallLimit,
    Duration stallGrace,
    @Nullable Duration handlerTimeout,
    @Nullable RateLimit rateLimit,
    int maxDeadJobs) {

  private static final Duration MAX_STALL_GRACE = Duration.ofDays(365);
  private static final Duration MAX_HANDLER_TIMEOUT = Duration.ofDays(365);

  public QueuePolicy {
    requirePresent(retry, "retry");
    requirePresent(stallGrace, "stallGrace");
    require(stallLimit >= 0 && stallLimit <= 1_000, "stallLimit", stallLimit, "0 to 1000");
    require(
        !stallGrace.isNegative() && stallGrace.compareTo(MAX_STALL_GRACE) <= 0,
        "stallGrace",
        stallGrace,
        "0 to 365 days");
    require(
        handlerTimeout == null
            || (handlerTimeout.isPositive() && handlerTimeout.compareTo(MAX_HANDLER_TIMEOUT) <= 0),
        "handlerTimeout",
        handlerTimeout,
        "more than 0 and at most 365 days, or null for no limit");
    require(maxDeadJobs >= 0, "maxDeadJobs", maxDeadJobs, "0 or more");
  }

  /**
   * Returns a policy with no retries, 3 recoveries after a grace of 30 s, no limits and 10,000 dead
   * jobs.
   */
  public static QueuePolicy standard() {
    return new QueuePolicy(RetryPolicy.never(), 3, Duration.ofSeconds(30), null, null, 10_000);
  }

  public QueuePolicy retry(RetryPolicy policy) {
    return new QueuePolicy(policy, stallLimit, stallGrace, handlerTimeout, rateLimit, maxDeadJobs);
  }

  public QueuePolicy stallLimit(int times) {
    return new QueuePolicy(retry, times, stallGrace, handlerTimeout, rateLimit, maxDeadJobs);
  }

  public QueuePolicy stallGrace(Duration grace) {
    return new QueuePolicy(retry, stallLimit, grace, handlerTimeout, rateLimit, maxDeadJobs);
  }

  public QueuePolicy handlerTimeout(Duration limit) {
    return new QueuePolicy(retry, stallLimit, stallGrace, limit, rateLimit, maxDeadJobs);
  }

  public QueuePolicy rateLimit(RateLimit limit) {
    return new QueuePolicy(retry, stallLimit, stallGrace, handlerTimeout, limit, maxDeadJobs);
  }

  public QueuePolicy maxDeadJobs(int jobs) {
    return new QueuePolicy(retry, stallLimit, stallGrace, handlerTimeout, rateLimit, jobs);
  }

  private static void require(
      boolean condition, String what, @Nullable Object value, String expected) {
    if (!condition) {
      throw new InvalidRequestException(
          "The " + what + " of a queue's policy is " + value + "; expected " + expected + ".");
    }
  }
}
