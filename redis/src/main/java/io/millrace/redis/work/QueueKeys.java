package io.millrace.redis.work;

import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.flow.QueuePolicy;
import io.millrace.redis.flow.RateLimit;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.RedisDialect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A queue of a flow, with the keys and arguments that all commands about it share. Immutable.
 *
 * @param flow the flow of the jobs; of a child queue its name
 * @param queue the queue as its user defined it
 * @param name the name of the queue in keys; that of a child queue begins with its parent's
 * @param targets the queues that a job may go to from here
 * @param secondsToLive the time to live of its jobs
 * @param level the priority level, where each has lists of its own; 1 otherwise
 */
record QueueKeys(
    RedisDialect dialect,
    String flow,
    Queue queue,
    String name,
    Set<String> targets,
    long secondsToLive,
    int level) {

  /** Returns all queues of a flow, including child queues. */
  static List<QueueKeys> allOf(RedisDialect redisDialect, Flow flow) {
    Set<String> names = new HashSet<>();
    flow.queues().forEach(queue -> names.add(queue.name()));
    long secondsToLive = flow.timeToLive().toSeconds();
    List<QueueKeys> allKeys = new ArrayList<>();
    for (Queue queue : flow.queues()) {
      allKeys.add(
          new QueueKeys(redisDialect, flow.name(), queue, queue.name(), names, secondsToLive, 1));
      addChildren(allKeys, redisDialect, queue.name(), queue.children(), secondsToLive);
    }
    return allKeys;
  }

  private static void addChildren(
      List<QueueKeys> allKeys,
      RedisDialect redisDialect,
      String parent,
      List<Queue> children,
      long secondsToLive) {
    Set<String> names = new HashSet<>();
    children.forEach(child -> names.add(RedisDialect.childQueue(parent, child.name())));
    for (Queue child : children) {
      String name = RedisDialect.childQueue(parent, child.name());
      allKeys.add(new QueueKeys(redisDialect, name, child, name, names, secondsToLive, 1));
      addChildren(allKeys, redisDialect, name, child.children(), secondsToLive);
    }
  }

  /** Returns the keys of each priority level that has lists of its own, the highest first. */
  List<QueueKeys> levels() {
    int levels = dialect == RedisDialect.MAIN ? policy().priorityLevels() : 1;
    return IntStream.rangeClosed(1, levels)
        .mapToObj(each -> new QueueKeys(dialect, flow, queue, name, targets, secondsToLive, each))
        .toList();
  }

  String waiting() {
    return dialect.waiting(name, level);
  }

  String processing() {
    return dialect.processing(name, level);
  }

  String delayed() {
    return dialect.delayed(name, level);
  }

  String lock(String entry) {
    return dialect.lock(name, entry);
  }

  /** Returns true if its jobs are children, for which a parent waits. */
  boolean isChildQueue() {
    return !name.equals(queue.name());
  }

  /** Returns the key of the hash of an entry's job. */
  String job(String entry) {
    return dialect.job(flow, id(entry));
  }

  /** Returns the key of the data that Millrace keeps of an entry's job. */
  String meta(String entry) {
    return MillraceKeys.meta(flow, id(entry));
  }

  /** Returns the id in an entry. */
  String id(String entry) {
    return entry.substring(entry.lastIndexOf(':') + 1);
  }

  long lockSeconds() {
    return queue.lockTime().toSeconds() + dialect.extraLockSeconds();
  }

  /**
   * Returns the longest time that a handler may run; null for no limit.
   *
   * @param isNpmOnly true if locks are not renewed; the time is then at most that of a lock
   */
  @Nullable Duration maxRun(boolean isNpmOnly) {
    Duration limit = policy().handlerTimeout();
    boolean isLonger = limit == null || limit.compareTo(queue.lockTime()) > 0;
    return isNpmOnly && isLonger ? queue.lockTime() : limit;
  }

  QueuePolicy policy() {
    return queue.policy();
  }

  /** Returns the keys that queue.lua describes. */
  List<String> keys() {
    String anyEntry = dialect.entry(flow, "");
    return List.of(
        waiting(),
        processing(),
        MillraceKeys.queue(name),
        dialect.lock(name, ""),
        withoutId(dialect.job(flow, ""), anyEntry),
        withoutId(MillraceKeys.meta(flow, ""), anyEntry),
        delayed());
  }

  /**
   * Removes the flow from the end of a prefix, where entries of the main dialect start with the
   * flow themselves.
   */
  private static String withoutId(String key, String anyEntry) {
    return key.endsWith(anyEntry) ? key.substring(0, key.length() - anyEntry.length()) : key;
  }

  /** Returns the arguments that queue.lua describes, for a worker. */
  List<String> arguments(String worker) {
    List<String> arguments = new ArrayList<>();
    arguments.add(name);
    arguments.add(worker);
    arguments.add(Long.toString(lockSeconds()));
    arguments.add(Long.toString(secondsToLive));
    arguments.add(limit(policy().rateLimit()));
    arguments.add(Integer.toString(1 + queue.attributes().size()));
    arguments.add(LeasedJob.CORRELATION);
    arguments.addAll(queue.attributes());
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
