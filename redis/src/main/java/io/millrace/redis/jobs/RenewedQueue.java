package io.millrace.redis.jobs;

import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.ProtocolKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A queue whose jobs are renewed.
 *
 * @param name the name in Redis; that of a child queue begins with its parent's
 * @param isOfChildren true if its jobs are children, whose flow is the queue
 * @param childFields fields of jobs of the flow that hold the keys of children
 * @param shared true if another registered flow has a queue of this name
 */
record RenewedQueue(
    Flow flow, String name, boolean isOfChildren, List<String> childFields, boolean shared) {

  /** Returns the flow in the keys of its jobs. */
  String jobFlow() {
    return isOfChildren ? name : flow.name();
  }

  /** Returns the key of the state of its round. */
  String state() {
    return MillraceKeys.renewal(name, flow.name());
  }

  /** Returns all queues of these flows, including child queues. */
  static List<RenewedQueue> of(List<Flow> flows) {
    List<RenewedQueue> queues = new ArrayList<>();
    for (Flow flow : flows) {
      List<String> fields = new ArrayList<>();
      flow.queues().forEach(queue -> addFields(fields, queue, queue.name()));
      flow.queues().forEach(queue -> add(queues, flow, queue, queue.name(), fields));
    }
    Map<String, Integer> count = new HashMap<>();
    queues.forEach(queue -> count.merge(queue.name, 1, Integer::sum));
    return queues.stream()
        .map(queue -> queue.shared(count.getOrDefault(queue.name, 1) > 1))
        .toList();
  }

  private static void addFields(List<String> fields, Queue queue, String name) {
    if (!queue.children().isEmpty()) {
      fields.add(ProtocolKeys.childrenJobs(name));
    }
    queue
        .children()
        .forEach(child -> addFields(fields, child, ProtocolKeys.childQueue(name, child.name())));
  }

  private static void add(
      List<RenewedQueue> queues, Flow flow, Queue queue, String name, List<String> fields) {
    boolean isOfChildren = !name.equals(queue.name());
    queues.add(new RenewedQueue(flow, name, isOfChildren, List.copyOf(fields), false));
    queue
        .children()
        .forEach(
            child -> add(queues, flow, child, ProtocolKeys.childQueue(name, child.name()), fields));
  }

  private RenewedQueue shared(boolean isShared) {
    return new RenewedQueue(flow, name, isOfChildren, childFields, isShared);
  }
}
