package io.millrace.redis.flow;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An event of a job in this process. */
public sealed interface FlowEvent {

  /** Returns the job and its queue. */
  JobRef job();

  /**
   * A job in a queue.
   *
   * @param flow the flow; that of a child job is the name of its queue
   */
  record JobRef(String flow, String queue, String id) {}

  /** A worker has leased the job. */
  record Leased(JobRef job, String worker, int attempt) implements FlowEvent {}

  /**
   * The result of the job is stored.
   *
   * @param nextQueue the queue that it went to; null at the end of the flow
   * @param took time from the lease until the outcome was known
   */
  record Completed(JobRef job, String worker, @Nullable String nextQueue, Duration took)
      implements FlowEvent {}

  /** The job has failed for good. */
  record Failed(JobRef job, String worker, String message, Duration took) implements FlowEvent {}

  /**
   * The handler threw, and the job comes back to the same queue for another attempt.
   *
   * @param after time until it can be leased again
   */
  record Retried(JobRef job, String worker, String reason, Duration after) implements FlowEvent {}

  /**
   * The handler has answered {@link JobResult.Later}, and the job comes back to the same queue.
   *
   * @param after time until it can be leased again
   */
  record Later(JobRef job, String worker, String reason, Duration after) implements FlowEvent {}

  /**
   * The job had stalled: no worker held its lock, most often because its worker died.
   *
   * @param stalls how often that has happened in this queue
   * @param failed true if it has failed because of that; false if it waits again
   */
  record Recovered(JobRef job, long stalls, boolean failed) implements FlowEvent {}

  /**
   * The result of the job was not stored: its lock was lost, the process has stopped and released
   * the job, another program has moved the job, or the job does not exist any more.
   *
   * @param why the reason, as a text for operators
   */
  record Lost(JobRef job, String worker, String why) implements FlowEvent {}
}
