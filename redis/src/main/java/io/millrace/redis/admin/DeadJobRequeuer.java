package io.millrace.redis.admin;

import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowJson;
import io.millrace.redis.wire.LuaScript;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.ProtocolKeys;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requeues dead jobs, up to 500 at a time. Thread-safe. */
final class DeadJobRequeuer {

  private static final int AT_ONCE = 500;
  private static final int MAX = 10_000;

  private final Redis redis;

  DeadJobRequeuer(Redis redis) {
    this.redis = redis;
  }

  /**
   * Requeues dead jobs.
   *
   * @param jobFlows the flows that jobs of the queue may belong to; jobs of other flows stay
   * @param ids the jobs; empty for all of the flow
   */
  RequeueResult of(Flow flow, RegisteredQueue queue, List<String> jobFlows, List<String> ids) {
    if (!ids.isEmpty()) {
      return move(flow, queue, own(queue.jobFlow(), jobFlows, ids));
    }
    RequeueResult moved = RequeueResult.NONE;
    int left = 0;
    for (int seen = 0; seen < MAX; seen += AT_ONCE) {
      List<String> page = oldest(queue.name(), left);
      moved = moved.plus(move(flow, queue, own(queue.jobFlow(), jobFlows, page)));
      left = Math.toIntExact(remaining(queue.name(), page, left));
      if (page.size() < AT_ONCE) {
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

  /** Returns how many of the dead jobs read so far are still there and must be skipped. */
  private long remaining(String queue, List<String> ids, int before) {
    List<List<String>> commands =
        ids.stream().map(id -> List.of("ZSCORE", MillraceKeys.dead(queue), id)).toList();
    List<@Nullable Object> scores = commands.isEmpty() ? List.of() : redis.pipelined(commands);
    return before + scores.stream().filter(score -> score != null).count();
  }

  /** Returns the jobs without those of another flow. */
  private List<String> own(String flow, List<String> jobFlows, List<String> ids) {
    List<String> others = jobFlows.stream().filter(other -> !other.equals(flow)).toList();
    if (others.isEmpty() || ids.isEmpty()) {
      return ids;
    }
    List<List<String>> commands = new ArrayList<>();
    for (String id : ids) {
      others.forEach(other -> commands.add(List.of("EXISTS", ProtocolKeys.job(other, id))));
    }
    List<@Nullable Object> replies = redis.pipelined(commands);
    List<String> own = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      int from = i * others.size();
      if (replies.subList(from, from + others.size()).stream()
          .allMatch(there -> AdminReplies.number(there) == 0)) {
        own.add(ids.get(i));
      }
    }
    return own;
  }

  private RequeueResult move(Flow flow, RegisteredQueue queue, List<String> ids) {
    if (ids.isEmpty()) {
      return RequeueResult.NONE;
    }
    List<String> arguments =
        new ArrayList<>(
            List.of(
                MillraceKeys.queue(queue.name()),
                ProtocolKeys.job(queue.jobFlow(), ""),
                MillraceKeys.metadata(queue.jobFlow(), ""),
                queue.name(),
                String.valueOf(flow.timeToLive().toSeconds()),
                String.valueOf(ids.size()),
                FlowJson.lastQueues(flow)));
    arguments.addAll(ids);
    Object reply =
        redis.run(
            LuaScript.REQUEUE,
            List.of(MillraceKeys.dead(queue.name()), ProtocolKeys.waiting(queue.name())),
            arguments);
    List<String> counts = AdminReplies.texts(reply);
    return new RequeueResult(
        Integer.parseInt(counts.get(0)),
        Integer.parseInt(counts.get(1)),
        Integer.parseInt(counts.get(2)));
  }
}
