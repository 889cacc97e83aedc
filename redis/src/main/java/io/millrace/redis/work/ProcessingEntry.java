package io.millrace.redis.work;

import io.millrace.redis.connect.Redis;
import java.util.ArrayList;
import java.util.List;

/**
 * An entry of the processing list.
 *
 * @param id the id of a job, whose hash may not exist any more
 * @param owner the worker that has its lock; empty when none has
 */
record ProcessingEntry(String id, String owner) {

  private static final int PAGE = 500;

  /**
   * Reads all entries of a queue page by page; entries that move meanwhile may be missed or read
   * twice.
   */
  static List<ProcessingEntry> of(Redis redis, QueueKeys queueKeys) {
    List<ProcessingEntry> all = new ArrayList<>();
    List<?> ids;
    int from = 0;
    do {
      ids =
          (List<?>)
              RedisReplies.need(
                  redis.call(
                      "LRANGE",
                      queueKeys.processing(),
                      Integer.toString(from),
                      Integer.toString(from + PAGE - 1)));
      add(all, redis, queueKeys, ids);
      from += PAGE;
    } while (ids.size() == PAGE);
    return all;
  }

  private static void add(
      List<ProcessingEntry> all, Redis redis, QueueKeys queueKeys, List<?> ids) {
    if (ids.isEmpty()) {
      return;
    }
    List<String> command = new ArrayList<>(ids.size() + 1);
    command.add("MGET");
    ids.forEach(id -> command.add(queueKeys.lock(RedisReplies.text(id))));
    List<?> owners = (List<?>) RedisReplies.need(redis.call(command.toArray(String[]::new)));
    for (int i = 0; i < ids.size(); i++) {
      all.add(
          new ProcessingEntry(RedisReplies.text(ids.get(i)), RedisReplies.orEmpty(owners.get(i))));
    }
  }
}
