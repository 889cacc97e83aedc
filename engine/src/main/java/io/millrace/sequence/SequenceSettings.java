package io.millrace.sequence;

import io.millrace.lifecycle.BoundedThreadPool;
import io.millrace.retry.RetryPolicy;
import io.millrace.schedule.CronExpression;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of task sequences on this node. Immutable; the methods return changed copies.
 *
 * @param retry policy of tasks without one of their own
 * @param chunks the threads on which chunks run
 * @param crons times that limit starts, retries and the record of missed slots
 */
public record SequenceSettings(
    RetryPolicy retry, BoundedThreadPool.Size chunks, SchedulerCrons crons) {

  /** Number of retries after the first attempt. */
  public static final int DEFAULT_RETRIES = 3;

  /**
   * The crons of sequences, in UTC.
   *
   * @param startCron the times at which due sequences may start; null to start them when they are
   *     due
   * @param retryCron the times at which failed tasks are retried; null for the wait of their retry
   *     policy
   * @param autoCorrectionCron the times at which missed slots are recorded while the start cron
   *     allows no start; null to record them when it allows one
   */
  public record SchedulerCrons(
      @Nullable CronExpression startCron,
      @Nullable CronExpression retryCron,
      @Nullable CronExpression autoCorrectionCron) {
    /** No crons: sequences start when they are due, and tasks are retried by their policies. */
    public static final SchedulerCrons NONE = new SchedulerCrons(null, null, null);
  }

  /**
   * Returns the default settings: three retries from 5 seconds to 5 minutes apart, 8 to 20 threads,
   * and no crons.
   */
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
