package io.millrace.redis.admin;

import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.wire.ProtocolKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue of a registered flow.
 *
 * @param flow the flow that it belongs to
 * @param name the name in Redis; that of a child queue is {@code <parentQueue>:<child>}
 * @param next the queue of jobs that name no other; null at the end of the flow
 * @param parent the queue whose children are in this one; null for none
 */
public record RegisteredQueue(
    String flow, String name, @Nullable String next, @Nullable String parent, Duration lockTime) {

  /** Returns the flow in the keys of its jobs, which for children is the queue itself. */
  public String jobFlow() {
    return parent == null ? flow : name;
  }

  /** Returns the queues of a flow in their order, each followed by those of its children. */
  static List<RegisteredQueue> of(Flow flow) {
    List<RegisteredQueue> nodes = new ArrayList<>();
    flow.queues().forEach(queue -> add(nodes, flow.name(), queue, null));
    return nodes;
  }

  private static void add(
      List<RegisteredQueue> nodes, String flow, Queue queue, @Nullable String parent) {
    String name = parent == null ? queue.name() : ProtocolKeys.childQueue(parent, queue.name());
    nodes.add(new RegisteredQueue(flow, name, queue.next(), parent, queue.lockTime()));
    queue.children().forEach(child -> add(nodes, flow, child, name));
  }
}
