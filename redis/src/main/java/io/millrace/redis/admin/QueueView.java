package io.millrace.redis.admin;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a queue.
 *
 * @param paused null while it is not
 * @param problem why the rest is not known, in which case numbers are 0; null for none
 */
public record QueueView(
    RegisteredQueue queue,
    JobCounts counts,
    @Nullable QueuePause paused,
    WorkerCounts workers,
    Throughput throughput,
    ExpiredJobs expired,
    @Nullable String problem) {

  /**
   * How many jobs there are.
   *
   * @param next the entry that is taken next; null when there is none
   * @param oldest since the job was made that is next; null when there is none or its id does not
   *     tell
   * @param locksExpiring jobs in processing whose lock ends within a third of its time, or that
   *     have none; of the first 500
   */
  public record JobCounts(
      long waiting,
      long processing,
      long delayed,
      long dead,
      @Nullable String next,
      @Nullable Duration oldest,
      int locksExpiring) {

    static final JobCounts NONE = new JobCounts(0, 0, 0, 0, null, null, 0);
  }

  /** The workers of Millrace, and how many of them have a job. */
  public record WorkerCounts(int workers, int busy) {
    static final WorkerCounts NONE = new WorkerCounts(0, 0);
  }

  /**
   * What the workers of Millrace have ended.
   *
   * @param completed ever
   * @param failed ever
   */
  public record Throughput(
      long completed, long failed, double completedPerMinute, double failedPerMinute) {
    static final Throughput NONE = new Throughput(0, 0, 0, 0);
  }

  /**
   * The jobs that were in the queue when their time to live ended, or when another program deleted
   * them.
   *
   * @param total ever
   * @param last time of the last one; null for none
   */
  public record ExpiredJobs(long total, @Nullable Instant last) {
    static final ExpiredJobs NONE = new ExpiredJobs(0, null);
  }

  static QueueView unreadable(RegisteredQueue queue, String problem) {
    return new QueueView(
        queue, JobCounts.NONE, null, WorkerCounts.NONE, Throughput.NONE, ExpiredJobs.NONE, problem);
  }
}
