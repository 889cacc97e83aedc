package io.millrace.redis.admin;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.ProtocolKeys;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads pages of a queue's lists. Thread-safe. */
final class JobPageReader {

  private static final int MAX_CURSOR = 15;

  private final Redis redis;

  JobPageReader(Redis redis) {
    this.redis = redis;
  }

  /** A job with its score; the score is null in lists that have none. */
  private record Found(String id, @Nullable String score) {}

  /**
   * Reads a page.
   *
   * @param flows the flows that the jobs may belong to, the usual one first
   */
  JobPage read(
      RegisteredQueue queue, List<String> flows, JobList list, int limit, @Nullable String cursor) {
    long offset = offset(cursor);
    List<Found> found = found(queue.name(), list, offset, limit + 1);
    List<Found> shown = found.subList(0, Math.min(limit, found.size()));
    List<List<String>> commands = new ArrayList<>();
    shown.forEach(one -> commands.addAll(commands(queue.name(), flows, one.id())));
    List<@Nullable Object> replies = AdminReplies.lenient(redis, commands);
    int each = 2 + 2 * flows.size();
    List<JobPage.Entry> items = new ArrayList<>();
    for (int i = 0; i < shown.size(); i++) {
      items.add(item(shown.get(i), flows, list, replies.subList(i * each, (i + 1) * each)));
    }
    return new JobPage(items, found.size() > limit ? String.valueOf(offset + limit) : null);
  }

  private static long offset(@Nullable String cursor) {
    if (cursor == null) {
      return 0;
    }
    if (cursor.isEmpty()
        || cursor.length() > MAX_CURSOR
        || !cursor.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new InvalidRequestException(
          "The cursor '" + cursor + "' is none of a list of jobs; expected 'next' of a page.");
    }
    return Long.parseLong(cursor);
  }

  private List<Found> found(String queue, JobList list, long offset, int count) {
    String from = String.valueOf(offset);
    String to = String.valueOf(offset + count - 1);
    return switch (list) {
      case WAITING -> plain(redis.call("LRANGE", ProtocolKeys.waiting(queue), from, to));
      case PROCESSING -> plain(redis.call("LRANGE", ProtocolKeys.processing(queue), from, to));
      case DELAYED ->
          scored(redis.call("ZRANGE", MillraceKeys.delayed(queue), from, to, "WITHSCORES"));
      case DEAD ->
          scored(redis.call("ZREVRANGE", MillraceKeys.dead(queue), from, to, "WITHSCORES"));
    };
  }

  private static List<Found> plain(@Nullable Object reply) {
    return AdminReplies.texts(reply).stream().map(id -> new Found(id, null)).toList();
  }

  private static List<Found> scored(@Nullable Object reply) {
    List<String> texts = AdminReplies.texts(reply);
    List<Found> found = new ArrayList<>();
    for (int i = 0; i + 1 < texts.size(); i += 2) {
      found.add(new Found(texts.get(i), texts.get(i + 1)));
    }
    return found;
  }

  private static List<List<String>> commands(String queue, List<String> flows, String id) {
    List<List<String>> commands = new ArrayList<>();
    String lock = ProtocolKeys.lock(queue, id);
    commands.add(List.of("GET", lock));
    commands.add(List.of("TTL", lock));
    for (String flow : flows) {
      String job = ProtocolKeys.job(flow, id);
      commands.add(List.of("EXISTS", job));
      commands.add(List.of("HGET", job, "failedErrorMsg"));
    }
    return commands;
  }

  private static JobPage.Entry item(
      Found found, List<String> flows, JobList list, List<@Nullable Object> replies) {
    int own = 0;
    for (int i = flows.size() - 1; i >= 0; i--) {
      own = AdminReplies.number(replies.get(2 + 2 * i)) == 1 ? i : own;
    }
    String id = found.id();
    String error = list == JobList.DEAD ? AdminReplies.text(replies.get(3 + 2 * own)) : null;
    return new JobPage.Entry(
        flows.get(own),
        id,
        AdminReplies.madeAt(id).orElse(null),
        found.score() == null ? null : Instant.ofEpochMilli(AdminReplies.number(found.score())),
        list == JobList.PROCESSING ? JobLocator.lock(replies.get(0), replies.get(1)) : null,
        AdminReplies.unquoted(error));
  }
}
