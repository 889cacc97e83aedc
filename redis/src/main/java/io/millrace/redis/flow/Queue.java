package io.millrace.redis.flow;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.instance.InvalidRequestException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One stage of a flow. Immutable; the methods return changed copies.
 *
 * @param name without a colon; unique within the Redis database
 * @param fields the fields that a worker reads of a job, which the npm package calls attributes;
 *     others are not sent to it
 * @param next the queue that a job goes to when its result names none; null ends the flow. Set it
 *     also where handlers always name a queue, since a job counts as finished once a queue without
 *     next has completed it
 * @param children the queues of a parent's children. A queue that has some needs parent workers,
 *     which create the children and wait until all are done
 * @param lockTime the time to live of a job's lock, in whole seconds, after which the job of a dead
 *     worker may be recovered; the lock is renewed while the job runs
 * @param blockTimeout the longest wait for a job before the worker checks whether it must stop
 * @param policy features beyond the protocol
 */
public record Queue(
    String name,
    List<String> fields,
    @Nullable String next,
    List<Queue> children,
    Duration lockTime,
    Duration blockTimeout,
    QueuePolicy policy) {

  private static final Duration LOCK_TIME = Duration.ofMinutes(3);
  private static final Duration BLOCK_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration MAX_LOCK_TIME = Duration.ofDays(1);
  private static final Duration MAX_BLOCK_TIMEOUT = Duration.ofDays(1);

  public Queue {
    QueueNames.plain("The queue", name);
    fields = List.copyOf(requirePresent(fields, "The fields of queue " + name));
    children = List.copyOf(requirePresent(children, "The children of queue " + name));
    if (next != null) {
      QueueNames.plain("The next queue of queue " + name, next);
    }
    lockTime = wholeSeconds(name, lockTime);
    if (requirePresent(blockTimeout, "blockTimeout").isNegative()
        || blockTimeout.isZero()
        || blockTimeout.compareTo(MAX_BLOCK_TIMEOUT) > 0) {
      throw new InvalidRequestException(
          "The blockTimeout of queue "
              + name
              + " is "
              + blockTimeout
              + "; expected more than 0 and at most a day, such as Duration.ofSeconds(3).");
    }
    requirePresent(policy, "The policy of queue " + name);
    requireChildren(name, children);
  }

  /**
   * Checks child queues. Their jobs are found by the queue's name, so they cannot go to another
   * queue.
   */
  private static void requireChildren(String name, List<Queue> children) {
    Set<String> names = new HashSet<>();
    for (Queue child : children) {
      if (child.next != null) {
        throw new InvalidRequestException(
            "The children '"
                + child.name
                + "' of queue "
                + name
                + " have a next queue '"
                + child.next
                + "'; expected none, since a child has one queue only. Leave it out, or give them"
                + " children of their own.");
      }
      if (!names.add(child.name)) {
        throw new InvalidRequestException(
            "Queue "
                + name
                + " has two kinds of children '"
                + child.name
                + "'; expected one of each name. Give the others a name of their own.");
      }
    }
  }

  /**
   * Returns a queue without fields, next queue and children, with 180 s lock time and 3 s block
   * timeout.
   */
  public static Queue of(String name) {
    return new Queue(
        name, List.of(), null, List.of(), LOCK_TIME, BLOCK_TIMEOUT, QueuePolicy.standard());
  }

  public Queue fields(String... names) {
    return new Queue(name, List.of(names), next, children, lockTime, blockTimeout, policy);
  }

  public Queue next(String queue) {
    return new Queue(name, fields, queue, children, lockTime, blockTimeout, policy);
  }

  /** Returns the queue with child queues, which makes it a queue of parents. */
  public Queue children(Queue... queues) {
    return new Queue(name, fields, next, List.of(queues), lockTime, blockTimeout, policy);
  }

  public Queue lockTime(Duration wholeSeconds) {
    return new Queue(name, fields, next, children, wholeSeconds, blockTimeout, policy);
  }

  public Queue blockTimeout(Duration timeout) {
    return new Queue(name, fields, next, children, lockTime, timeout, policy);
  }

  public Queue policy(QueuePolicy changed) {
    return new Queue(name, fields, next, children, lockTime, blockTimeout, changed);
  }

  private static Duration wholeSeconds(String name, Duration lockTime) {
    requirePresent(lockTime, "The lockTime of queue " + name);
    if (lockTime.toSeconds() < 1
        || lockTime.toNanosPart() != 0
        || lockTime.compareTo(MAX_LOCK_TIME) > 0) {
      throw new InvalidRequestException(
          "The lockTime of queue "
              + name
              + " is "
              + lockTime
              + "; expected whole seconds from 1 s to a day, since locks expire by the second.");
    }
    return lockTime;
  }
}
