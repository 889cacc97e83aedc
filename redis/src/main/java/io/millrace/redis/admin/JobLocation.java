package io.millrace.redis.admin;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a job is, and what Millrace keeps of it.
 *
 * @param listEntry null when it is in no list
 * @param ttlSeconds until Redis forgets it; null when it does not
 * @param meta fields of Millrace such as progress and note
 * @param last queues of its flow behind which no other comes
 */
public record JobLocation(
    @Nullable ListEntry listEntry,
    @Nullable Long ttlSeconds,
    Map<String, String> meta,
    Set<String> last) {

  /**
   * In a list of a queue.
   *
   * @param position jobs before it in the list; null unless it waits
   * @param at when it is due, or when it died; null unless it is delayed or dead
   * @param lock null when nobody has it
   */
  public record ListEntry(
      JobList list,
      String queue,
      @Nullable Long position,
      @Nullable Instant at,
      JobPage.@Nullable Lock lock) {}

  /** Null when it is in none. */
  public @Nullable JobList list() {
    return listEntry == null ? null : listEntry.list();
  }

  /** Null when it is in no list. */
  public @Nullable String queue() {
    return listEntry == null ? null : listEntry.queue();
  }

  /**
   * What the queue's worker told last of the job.
   *
   * @param field such as progress or note
   * @return null for nothing, and for what was told in a queue that the job has left
   */
  public @Nullable String reported(String field) {
    String where = meta.get("toldIn");
    String queue = queue();
    return where == null || queue == null || where.equals(queue) ? meta.get(field) : null;
  }

  /** True when a job that has completed this queue, and is in no list, has come to its end. */
  public boolean ended(@Nullable String completedQueue) {
    return listEntry == null && completedQueue != null && last.contains(completedQueue);
  }
}
