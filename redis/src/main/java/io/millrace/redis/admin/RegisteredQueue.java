package io.millrace.redis.admin;

import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.wire.RedisDialect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A queue of a registered flow.
 *
 * @param flow that it belongs to
 * @param name in Redis; a child's is {@code <parentQueue>:<child>}
 * @param next where jobs go that name no other queue; null for the end
 * @param parent the queue whose children are in this one; null for none
 * @param priorities levels of urgency that have lists of their own in the second dialect
 */
public record RegisteredQueue(
    String flow,
    String name,
    @Nullable String next,
    @Nullable String parent,
    Duration lockTime,
    int priorities) {

  /** The levels that have lists of their own, the most urgent first. */
  List<Integer> levels(RedisDialect redisDialect) {
    return IntStream.rangeClosed(1, redisDialect == RedisDialect.MAIN ? priorities : 1)
        .boxed()
        .toList();
  }

  /** The flow by which its jobs are named: the queue itself where they are children. */
  public String jobFlow() {
    return parent == null ? flow : name;
  }

  /** The queues of a flow in their order, each followed by those of its children. */
  static List<RegisteredQueue> of(Flow flow) {
    List<RegisteredQueue> nodes = new ArrayList<>();
    flow.queues().forEach(queue -> add(nodes, flow.name(), queue, null));
    return nodes;
  }

  private static void add(
      List<RegisteredQueue> nodes, String flow, Queue queue, @Nullable String parent) {
    String name = parent == null ? queue.name() : RedisDialect.childQueue(parent, queue.name());
    nodes.add(
        new RegisteredQueue(
            flow, name, queue.next(), parent, queue.lockTime(), queue.policy().priorityLevels()));
    queue.children().forEach(child -> add(nodes, flow, child, name));
  }
}
