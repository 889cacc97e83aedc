package io.millrace.redis.admin;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a job is, and what Millrace keeps of it.
 *
 * @param list null when it is in none
 * @param queue null when it is in no list
 * @param position jobs before it in the list; null unless it waits
 * @param lock null when nobody has it
 * @param ttlSeconds until Redis forgets it; null when it does not
 * @param meta fields of Millrace such as progress and note
 * @param last queues of its flow behind which no other comes
 */
public record Place(
    @Nullable JobList list,
    @Nullable String queue,
    @Nullable Long position,
    JobPage.@Nullable Lock lock,
    @Nullable Long ttlSeconds,
    Map<String, String> meta,
    Set<String> last) {

  /** True when a job that has completed this queue, and is in no list, has come to its end. */
  public boolean ended(@Nullable String completedQueue) {
    return list == null && completedQueue != null && last.contains(completedQueue);
  }
}
