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
 * A queue of a flow, and what all commands about it have in common. Immutable.
 *
 * @param flow of the jobs: of a child the name of its queue
 * @param queue as its user wrote it
 * @param name of the queue in keys: of a child with its parent's
 * @param targets the queues that a job may go to from here
 * @param level of urgency, where each has lists of its own; 1 otherwise
 */
record QueueKeys(
    RedisDialect dialect, String flow, Queue queue, String name, Targets targets, int level) {

  /** Where jobs may go, and how long they are kept. */
  record Targets(Set<String> queues, long secondsToLive) {}

  /** All queues of a flow, those of children too. */
  static List<QueueKeys> allOf(RedisDialect redisDialect, Flow flow) {
    Set<String> names = new HashSet<>();
    flow.queues().forEach(queue -> names.add(queue.name()));
    Targets targets = new Targets(names, flow.timeToLive().toSeconds());
    List<QueueKeys> allKeys = new ArrayList<>();
    for (Queue queue : flow.queues()) {
      allKeys.add(new QueueKeys(redisDialect, flow.name(), queue, queue.name(), targets, 1));
      addChildren(allKeys, redisDialect, queue.name(), queue.children(), targets.secondsToLive());
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
      allKeys.add(
          new QueueKeys(redisDialect, name, child, name, new Targets(names, secondsToLive), 1));
      addChildren(allKeys, redisDialect, name, child.children(), secondsToLive);
    }
  }

  /** One for each level of urgency that has lists of its own, the most urgent first. */
  List<QueueKeys> levels() {
    int most = dialect == RedisDialect.MAIN ? policy().priorityLevels() : 1;
    return IntStream.rangeClosed(1, most)
        .mapToObj(urgency -> new QueueKeys(dialect, flow, queue, name, targets, urgency))
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

  /** Whether its jobs are children, for which a parent waits. */
  boolean isChildQueue() {
    return !name.equals(queue.name());
  }

  /** The hash of the job of an entry. */
  String job(String entry) {
    return dialect.job(flow, id(entry));
  }

  /** What Millrace keeps of the job of an entry. */
  String meta(String entry) {
    return MillraceKeys.meta(flow, id(entry));
  }

  /** The id in an entry. */
  String id(String entry) {
    return entry.substring(entry.lastIndexOf(':') + 1);
  }

  long lockSeconds() {
    return queue.lockTime().toSeconds() + dialect.extraLockSeconds();
  }

  /**
   * How long a handler may run; null for no limit.
   *
   * @param isStrict where locks are not renewed: no longer than they live then
   */
  @Nullable Duration maxRun(boolean isStrict) {
    Duration limit = policy().handlerTimeout();
    boolean isLonger = limit == null || limit.compareTo(queue.lockTime()) > 0;
    return isStrict && isLonger ? queue.lockTime() : limit;
  }

  QueuePolicy policy() {
    return queue.policy();
  }

  /** The keys that queue.lua tells of. */
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

  /** An entry of the second dialect begins with the flow itself. */
  private static String withoutId(String key, String anyEntry) {
    return key.endsWith(anyEntry) ? key.substring(0, key.length() - anyEntry.length()) : key;
  }

  /** The arguments that queue.lua tells of, for a worker. */
  List<String> arguments(String worker) {
    List<String> arguments = new ArrayList<>();
    arguments.add(name);
    arguments.add(worker);
    arguments.add(Long.toString(lockSeconds()));
    arguments.add(Long.toString(targets.secondsToLive()));
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
