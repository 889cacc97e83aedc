package io.millrace.redis.flow;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What happened to a job in this process. */
public sealed interface FlowEvent {

  /** Which job in which queue. */
  JobRef job();

  /**
   * A job in a queue.
   *
   * @param flow of a child: the name of its queue
   */
  record JobRef(String flow, String queue, String id) {}

  /** A worker has taken the job. */
  record Leased(JobRef job, String worker, int attempt) implements FlowEvent {}

  /**
   * Its result is stored.
   *
   * @param nextQueue where it went; null at the end of the flow
   * @param took from the lease until the handler answered
   */
  record Completed(JobRef job, String worker, @Nullable String nextQueue, Duration took)
      implements FlowEvent {}

  /** It has failed for good. */
  record Failed(JobRef job, String worker, String message, Duration took) implements FlowEvent {}

  /** It comes back to the same queue: the handler threw and it is tried again, or asked for it. */
  record Retried(JobRef job, String worker, String reason, Duration after) implements FlowEvent {}

  /**
   * Its worker died.
   *
   * @param stalls how often that has happened in this queue
   * @param failed true when it has failed for that; false when it waits again
   */
  record Recovered(JobRef job, long stalls, boolean failed) implements FlowEvent {}

  /** Its worker has no right to it any more; the result was not stored. */
  record Lost(JobRef job, String worker, String why) implements FlowEvent {}
}
