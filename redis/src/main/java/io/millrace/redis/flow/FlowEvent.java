package io.millrace.redis.flow;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What happened to a job in this process. */
public sealed interface FlowEvent {

  /** Which job in which queue. */
  Place place();

  /**
   * A job in a queue.
   *
   * @param flow of a child: the name of its queue
   */
  record Place(String flow, String queue, String id) {}

  /** A worker has taken the job. */
  record Leased(Place place, String worker, int attempt) implements FlowEvent {}

  /**
   * Its result is stored.
   *
   * @param nextQueue where it went; null at the end of the flow
   * @param took from the lease until the handler answered
   */
  record Completed(Place place, String worker, @Nullable String nextQueue, Duration took)
      implements FlowEvent {}

  /** It has failed for good. */
  record Failed(Place place, String worker, String message, Duration took) implements FlowEvent {}

  /** It comes back to the same queue: the handler threw and it is tried again, or asked for it. */
  record Retried(Place place, String worker, String reason, Duration after) implements FlowEvent {}

  /**
   * Its worker died.
   *
   * @param stalls how often that has happened in this queue
   * @param parked true when it has failed for that; false when it waits again
   */
  record Recovered(Place place, long stalls, boolean parked) implements FlowEvent {}

  /** Its worker has no right to it any more; the result was not stored. */
  record Lost(Place place, String worker, String why) implements FlowEvent {}
}
