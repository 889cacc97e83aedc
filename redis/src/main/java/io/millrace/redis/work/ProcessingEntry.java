package io.millrace.redis.work;

import io.millrace.redis.connect.Redis;
import java.util.ArrayList;
import java.util.List;

/**
 * An entry of the processing list.
 *
 * @param owner the worker that has its lock; empty when none has
 */
record ProcessingEntry(String entry, String owner) {

  private static final int PAGE = 500;

  /**
   * Reads all entries of a queue page by page; entries that move meanwhile may be missed or read
   * twice.
   */
  static List<ProcessingEntry> of(Redis redis, QueueKeys queueKeys) {
    List<ProcessingEntry> all = new ArrayList<>();
    List<?> entries;
    int from = 0;
    do {
      entries =
          (List<?>)
              RedisReplies.need(
                  redis.call(
                      "LRANGE",
                      queueKeys.processing(),
                      Integer.toString(from),
                      Integer.toString(from + PAGE - 1)));
      add(all, redis, queueKeys, entries);
      from += PAGE;
    } while (entries.size() == PAGE);
    return all;
  }

  private static void add(
      List<ProcessingEntry> all, Redis redis, QueueKeys queueKeys, List<?> entries) {
    if (entries.isEmpty()) {
      return;
    }
    List<String> command = new ArrayList<>(entries.size() + 1);
    command.add("MGET");
    entries.forEach(entry -> command.add(queueKeys.lock(RedisReplies.text(entry))));
    List<?> owners = (List<?>) RedisReplies.need(redis.call(command.toArray(String[]::new)));
    for (int i = 0; i < entries.size(); i++) {
      all.add(
          new ProcessingEntry(
              RedisReplies.text(entries.get(i)), RedisReplies.orEmpty(owners.get(i))));
    }
  }
}
