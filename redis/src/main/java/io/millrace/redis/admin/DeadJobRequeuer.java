package io.millrace.redis.admin;

import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowJson;
import io.millrace.redis.wire.LuaScript;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.RedisDialect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Puts dead jobs back, up to 500 at a time. Thread-safe. */
final class DeadJobRequeuer {

  private static final int AT_ONCE = 500;
  private static final int MAX = 10_000;
  private static final String ANY = "id";

  private final Redis redis;
  private final RedisDialect dialect;

  DeadJobRequeuer(Redis redis, RedisDialect dialect) {
    this.redis = redis;
    this.dialect = dialect;
  }

  /**
   * Puts dead jobs back.
   *
   * @param jobFlows the flows that jobs of the queue may belong to; jobs of other flows stay
   * @param ids the jobs; empty for all of the flow
   */
  RequeueResult of(Flow flow, RegisteredQueue queue, List<String> jobFlows, List<String> ids) {
    if (!ids.isEmpty()) {
      List<String> entries = ids.stream().map(id -> dialect.entry(queue.jobFlow(), id)).toList();
      return move(flow, queue, own(queue.jobFlow(), jobFlows, entries));
    }
    RequeueResult moved = RequeueResult.NONE;
    int left = 0;
    for (int seen = 0; seen < MAX; seen += AT_ONCE) {
      List<String> entries = oldest(queue.name(), left);
      moved = moved.plus(move(flow, queue, own(queue.jobFlow(), jobFlows, entries)));
      left = Math.toIntExact(remaining(queue.name(), entries, left));
      if (entries.size() < AT_ONCE) {
        break;
      }
    }
    return moved;
  }

  private List<String> oldest(String queue, int from) {
    return AdminReplies.texts(
        redis.call(
            "ZRANGE",
            MillraceKeys.dead(queue),
            String.valueOf(from),
            String.valueOf(from + AT_ONCE - 1)));
  }

  /** Returns how many of the dead entries read so far are still there and must be skipped. */
  private long remaining(String queue, List<String> entries, int before) {
    List<List<String>> commands =
        entries.stream().map(entry -> List.of("ZSCORE", MillraceKeys.dead(queue), entry)).toList();
    List<@Nullable Object> scores = commands.isEmpty() ? List.of() : redis.pipelined(commands);
    return before + scores.stream().filter(score -> score != null).count();
  }

  /** Returns the entries without those that are jobs of another flow. */
  private List<String> own(String flow, List<String> jobFlows, List<String> entries) {
    List<String> others = jobFlows.stream().filter(other -> !other.equals(flow)).toList();
    if (others.isEmpty() || entries.isEmpty()) {
      return entries;
    }
    List<List<String>> commands = new ArrayList<>();
    for (String entry : entries) {
      others.forEach(
          other -> commands.add(List.of("EXISTS", dialect.job(other, QueueReader.id(entry)))));
    }
    List<@Nullable Object> replies = redis.pipelined(commands);
    List<String> own = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      int from = i * others.size();
      if (replies.subList(from, from + others.size()).stream()
          .allMatch(there -> AdminReplies.number(there) == 0)) {
        own.add(entries.get(i));
      }
    }
    return own;
  }

  /** Returns the part of a job's key before the entry. */
  private String begin(String key, RegisteredQueue queue) {
    return key.substring(0, key.length() - dialect.entry(queue.jobFlow(), ANY).length());
  }

  private RequeueResult move(Flow flow, RegisteredQueue queue, List<String> entries) {
    RequeueResult moved = RequeueResult.NONE;
    for (Map.Entry<Integer, List<String>> level : byLevel(queue, entries).entrySet()) {
      moved = moved.plus(move(flow, queue, level.getKey(), level.getValue()));
    }
    return moved;
  }

  /**
   * Groups entries by priority level. A job goes back to the level in its field, as workers of the
   * main dialect expect.
   */
  private Map<Integer, List<String>> byLevel(RegisteredQueue queue, List<String> entries) {
    if (dialect != RedisDialect.MAIN) {
      return entries.isEmpty() ? Map.of() : Map.of(1, entries);
    }
    List<@Nullable Object> named =
        AdminReplies.lenient(
            redis,
            entries.stream()
                .map(entry ->
                    List.of(
                        "HGET", dialect.job(queue.jobFlow(), QueueReader.id(entry)), "priority"))
                .toList());
    Map<Integer, List<String>> levels = new TreeMap<>();
    for (int i = 0; i < entries.size(); i++) {
      int level = Math.clamp(AdminReplies.number(named.get(i)), 1, queue.priorityLevels());
      levels.computeIfAbsent(level, any -> new ArrayList<>()).add(entries.get(i));
    }
    return levels;
  }

  private RequeueResult move(Flow flow, RegisteredQueue queue, int level, List<String> entries) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                MillraceKeys.queue(queue.name()),
                begin(dialect.job(queue.jobFlow(), ANY), queue),
                begin(MillraceKeys.meta(queue.jobFlow(), ANY), queue),
                queue.name(),
                String.valueOf(flow.timeToLive().toSeconds()),
                String.valueOf(entries.size()),
                FlowJson.lastQueues(flow)));
    arguments.addAll(entries);
    Object reply =
        redis.run(
            LuaScript.REQUEUE,
            List.of(MillraceKeys.dead(queue.name()), dialect.waiting(queue.name(), level)),
            arguments);
    List<String> counts = AdminReplies.texts(reply);
    return new RequeueResult(
        Integer.parseInt(counts.get(0)),
        Integer.parseInt(counts.get(1)),
        Integer.parseInt(counts.get(2)));
  }
}
