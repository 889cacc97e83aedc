package io.millrace.redis.work;

import io.millrace.redis.connect.Redis;
import java.util.ArrayList;
import java.util.List;

/**
 * An entry of the jobs that are worked on.
 *
 * @param owner what its lock holds; empty when there is none
 */
record Locked(String entry, String owner) {

  private static final int PAGE = 500;

  /** All of a queue, page by page; what moves meanwhile may be missed or told twice. */
  static List<Locked> of(Redis redis, Lane lane) {
    List<Locked> all = new ArrayList<>();
    List<?> entries;
    int from = 0;
    do {
      entries =
          (List<?>)
              Replies.need(
                  redis.call(
                      "LRANGE",
                      lane.processing(),
                      Integer.toString(from),
                      Integer.toString(from + PAGE - 1)));
      add(all, redis, lane, entries);
      from += PAGE;
    } while (entries.size() == PAGE);
    return all;
  }

  private static void add(List<Locked> all, Redis redis, Lane lane, List<?> entries) {
    if (entries.isEmpty()) {
      return;
    }
    List<String> command = new ArrayList<>(entries.size() + 1);
    command.add("MGET");
    entries.forEach(entry -> command.add(lane.lock(Replies.text(entry))));
    List<?> owners = (List<?>) Replies.need(redis.call(command.toArray(String[]::new)));
    for (int i = 0; i < entries.size(); i++) {
      all.add(new Locked(Replies.text(entries.get(i)), Replies.orEmpty(owners.get(i))));
    }
  }
}
