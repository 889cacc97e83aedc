package io.millrace.redis.work;

import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.flow.QueuePolicy;
import io.millrace.redis.flow.RateLimit;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.ProtocolKeys;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A queue of a flow, with the keys and arguments that all commands about it share. Immutable.
 *
 * @param flow the flow of the jobs; of a child queue its name
 * @param queue the queue as its user defined it
 * @param name the name of the queue in keys; that of a child queue begins with its parent's
 * @param targets the queues that a job may go to from here
 * @param secondsToLive the time to live of its jobs
 */
record QueueKeys(String flow, Queue queue, String name, Set<String> targets, long secondsToLive) {

  /** The seconds by which a lock outlives its lock time, as in the npm package. */
  private static final int EXTRA_LOCK_SECONDS = 1;

  /** Returns all queues of a flow, including child queues. */
  static List<QueueKeys> allOf(Flow flow) {
    Set<String> names = new HashSet<>();
    flow.queues().forEach(queue -> names.add(queue.name()));
    long secondsToLive = flow.timeToLive().toSeconds();
    List<QueueKeys> allKeys = new ArrayList<>();
    for (Queue queue : flow.queues()) {
      allKeys.add(new QueueKeys(flow.name(), queue, queue.name(), names, secondsToLive));
      addChildren(allKeys, queue.name(), queue.children(), secondsToLive);
    }
    return allKeys;
  }

  private static void addChildren(
      List<QueueKeys> allKeys, String parent, List<Queue> children, long secondsToLive) {
    Set<String> names = new HashSet<>();
    children.forEach(child -> names.add(ProtocolKeys.childQueue(parent, child.name())));
    for (Queue child : children) {
      String name = ProtocolKeys.childQueue(parent, child.name());
      allKeys.add(new QueueKeys(name, child, name, names, secondsToLive));
      addChildren(allKeys, name, child.children(), secondsToLive);
    }
  }

  String waiting() {
    return ProtocolKeys.waiting(name);
  }

  String processing() {
    return ProtocolKeys.processing(name);
  }

  String delayed() {
    return MillraceKeys.delayed(name);
  }

  String lock(String id) {
    return ProtocolKeys.lock(name, id);
  }

  /** Returns true if its jobs are children, for which a parent waits. */
  boolean isChildQueue() {
    return !name.equals(queue.name());
  }

  /** Returns the key of the hash of a job. */
  String job(String id) {
    return ProtocolKeys.job(flow, id);
  }

  /** Returns the key of the data that Millrace keeps of a job. */
  String metadata(String id) {
    return MillraceKeys.metadata(flow, id);
  }

  long lockSeconds() {
    return queue.lockTime().toSeconds() + EXTRA_LOCK_SECONDS;
  }

  QueuePolicy policy() {
    return queue.policy();
  }

  /** Returns the keys that queue.lua describes. */
  List<String> keys() {
    return List.of(
        waiting(),
        processing(),
        MillraceKeys.queue(name),
        lock(""),
        job(""),
        metadata(""),
        delayed());
  }

  /** Returns the arguments that queue.lua describes, for a worker. */
  List<String> arguments(String worker) {
    List<String> arguments = new ArrayList<>();
    arguments.add(name);
    arguments.add(worker);
    arguments.add(Long.toString(lockSeconds()));
    arguments.add(Long.toString(secondsToLive));
    arguments.add(limit(policy().rateLimit()));
    arguments.add(Integer.toString(1 + queue.fields().size()));
    arguments.add(LeasedJob.CORRELATION);
    arguments.addAll(queue.fields());
    return List.copyOf(arguments);
  }

  private static String limit(@Nullable RateLimit limit) {
    return limit == null
        ? ""
        : limit.jobs()
            + " "
            + limit.window().toMillis()
            + (limit.groupBy() == null ? "" : " " + limit.groupBy());
  }
}
