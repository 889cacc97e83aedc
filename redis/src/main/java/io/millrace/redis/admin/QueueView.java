package io.millrace.redis.admin;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a queue.
 *
 * @param paused the pause; null while the queue is not paused
 * @param problem why the state cannot be read, in which case numbers are 0; null for none
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
   * Numbers of jobs.
   *
   * @param next the job that is leased next; null when there is none
   * @param oldest the age of the next job; null when there is none or its id does not tell
   * @param locksExpiring processing jobs with a lock that ends within a third of its time, or with
   *     no lock; of the first 500
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

  /** Number of the workers of Millrace, and how many of them have a job. */
  public record WorkerCounts(int workers, int busy) {
    static final WorkerCounts NONE = new WorkerCounts(0, 0);
  }

  /**
   * Jobs that the workers of Millrace have completed or failed.
   *
   * @param completed total of completed jobs
   * @param failed total of failed jobs
   */
  public record Throughput(
      long completed, long failed, double completedPerMinute, double failedPerMinute) {
    static final Throughput NONE = new Throughput(0, 0, 0, 0);
  }

  /**
   * Jobs that were in the queue when their time to live ended, or when another program deleted
   * them.
   *
   * @param total the total number
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
