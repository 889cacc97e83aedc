package io.millrace.sequence;

import io.millrace.lifecycle.BoundedThreadPool;
import io.millrace.retry.RetryPolicy;
import io.millrace.schedule.CronExpression;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of task sequences on this node. Immutable; the methods return changed copies.
 *
 * @param retry what happens after a failed attempt of a task that has no policy of its own
 * @param chunks the threads on which chunks run
 * @param crons when the schedulers look
 */
public record SequenceSettings(
    RetryPolicy retry, BoundedThreadPool.Size chunks, SchedulerCrons crons) {

  /** Retries after the first attempt. */
  public static final int DEFAULT_RETRIES = 3;

  /**
   * The crons by which the schedulers poll, in UTC; null for at once.
   *
   * @param executor starts what is due
   * @param retry tries again what has failed
   * @param autoCorrection deals with slots that were missed
   */
  public record SchedulerCrons(
      @Nullable CronExpression executor,
      @Nullable CronExpression retry,
      @Nullable CronExpression autoCorrection) {
    /** No crons: all schedulers react at once. */
    public static final SchedulerCrons NONE = new SchedulerCrons(null, null, null);
  }

  /** Three retries from 5 seconds to 5 minutes apart, 8 to 20 threads, and no crons. */
  public static SequenceSettings defaults() {
    return new SequenceSettings(
        RetryPolicy.exponential(Duration.ofSeconds(5), Duration.ofMinutes(5))
            .maxAttempts(1 + DEFAULT_RETRIES),
        new BoundedThreadPool.Size(8, 20, Duration.ofMinutes(20), 10),
        SchedulerCrons.NONE);
  }

  public SequenceSettings retry(RetryPolicy policy) {
    return new SequenceSettings(policy, chunks, crons);
  }

  /** Sets the number of retries of a task after its first attempt. */
  public SequenceSettings maxTaskRetries(int retries) {
    return retry(retry.maxAttempts(1 + retries));
  }

  public SequenceSettings chunks(BoundedThreadPool.Size size) {
    return new SequenceSettings(retry, size, crons);
  }

  public SequenceSettings crons(SchedulerCrons newCrons) {
    return new SequenceSettings(retry, chunks, newCrons);
  }
}
