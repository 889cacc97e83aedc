package io.millrace.redis.work;

import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.wire.RedisDialect;
import java.util.ArrayList;
import java.util.List;

/**
 * A check of flows whose priority levels have lists of their own: a job keeps its priority on the
 * way, and workers serve only as many levels as the policy of their queue has.
 */
final class PriorityLevelCheck {

  private PriorityLevelCheck() {}

  /** Returns a warning for each queue that leads to one with fewer levels. */
  static List<String> warnings(Flow flow) {
    List<String> warnings = new ArrayList<>();
    for (Queue queue : flow.queues()) {
      if (queue.next() != null) {
        Queue next = flow.queue(queue.next());
        if (levels(next) < levels(queue)) {
          warnings.add(
              lead(flow, queue, queue.name(), "leads to queue '" + next.name(), next)
                  + "No worker serves a job there whose priority is over "
                  + levels(next)
                  + cure(next.name(), queue));
        }
      }
      addChildren(warnings, flow, queue, queue.name());
    }
    return warnings;
  }

  private static void addChildren(List<String> warnings, Flow flow, Queue parent, String name) {
    for (Queue child : parent.children()) {
      String childName = RedisDialect.childQueue(name, child.name());
      if (levels(child) < levels(parent)) {
        warnings.add(
            lead(flow, parent, name, "has children in queue '" + childName, child)
                + "A parent fails whose priority is over "
                + levels(child)
                + " and whose children have none of their own"
                + cure(childName, parent));
      }
      addChildren(warnings, flow, child, childName);
    }
  }

  private static String lead(Flow flow, Queue from, String name, String relation, Queue to) {
    return "Queue '%s' of flow '%s' has %s priority levels and %s', which has %s. "
        .formatted(name, flow.name(), levels(from), relation, levels(to));
  }

  private static String cure(String name, Queue from) {
    return ". Give queue '%s' the policy QueuePolicy.priorityLevels(%s)."
        .formatted(name, levels(from));
  }

  private static int levels(Queue queue) {
    return queue.policy().priorityLevels();
  }
}
