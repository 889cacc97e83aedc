package io.millrace.redis.admin;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Location of a job, and the data that Millrace keeps of it.
 *
 * @param listEntry null when it is in no list
 * @param ttlSeconds time until Redis deletes it; null when it has no time to live
 * @param metadata fields of Millrace such as progress and note
 * @param lastQueues queues of its flow that have no next queue
 */
public record JobLocation(
    @Nullable ListEntry listEntry,
    @Nullable Long ttlSeconds,
    Map<String, String> metadata,
    Set<String> lastQueues) {

  /**
   * An entry in a list of a queue.
   *
   * @param position number of jobs before it in the list; null unless it waits
   * @param at when it is due, or when it died; null unless it is delayed or dead
   * @param lock null when no worker has it
   */
  public record ListEntry(
      JobList list,
      String queue,
      @Nullable Long position,
      @Nullable Instant at,
      JobPage.@Nullable Lock lock) {}

  /** Returns the list; null when it is in none. */
  public @Nullable JobList list() {
    return listEntry == null ? null : listEntry.list();
  }

  /** Returns the queue; null when it is in no list. */
  public @Nullable String queue() {
    return listEntry == null ? null : listEntry.queue();
  }

  /**
   * Returns the last report of the queue's worker about the job.
   *
   * @param field such as progress or note
   * @return null if there is none, or if it was reported in a queue that the job has left
   */
  public @Nullable String reported(String field) {
    String where = metadata.get("toldIn");
    String queue = queue();
    return where == null || queue == null || where.equals(queue) ? metadata.get(field) : null;
  }

  /**
   * Returns true if a job that has completed this queue, and is in no list, has reached the end of
   * its flow.
   */
  public boolean hasCompletedFlow(@Nullable String completedQueue) {
    return listEntry == null && completedQueue != null && lastQueues.contains(completedQueue);
  }
}
