package io.millrace.redis.work;

import io.millrace.lifecycle.IntervalThrottle;
import io.millrace.lifecycle.Loop;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.wire.LuaScript;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parents of this process that wait for their children, without a thread. They are notified at
 * once of children that finish in this process. For workers in Node.js and other processes, the
 * server is polled each second. Thread-safe.
 */
final class WaitingParents implements Loop.Work {

  private static final Logger LOG = LoggerFactory.getLogger(WaitingParents.class);
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final int BATCH = 500;

  private final Set<Parent> parents = ConcurrentHashMap.newKeySet();

  private final Map<String, Parent> byChild = new ConcurrentHashMap<>();
  private final Redis redis;
  private final IntervalThrottle warningThrottle;

  WaitingParents(WorkerContext context) {
    this.redis = context.redis();
    this.warningThrottle =
        new IntervalThrottle(context.runtime().clock(), QueueRuntime.BETWEEN_WARNINGS);
  }

  /** A waiting parent. */
  private static final class Parent {
    private final Set<String> left;
    private final Runnable onFinish;

    Parent(List<String> children, Runnable onFinish) {
      this.left = new LinkedHashSet<>(children);
      this.onFinish = onFinish;
    }

    synchronized ChildQuery unfinished(int most) {
      return new ChildQuery(this, left.stream().limit(most).toList());
    }

    /** Records that a child has finished; returns true if it was the last. */
    synchronized boolean finished(String child) {
      return left.remove(child) && left.isEmpty();
    }
  }

  private record ChildQuery(Parent parent, List<String> children) {}

  /**
   * Registers an action to call when all children have finished.
   *
   * @param children the keys of their hashes; at least one
   * @param onFinish called once, by any thread, which it must not block
   * @return an action that cancels the registration; {@code onFinish} is then not called
   */
  Runnable onChildrenFinished(List<String> children, Runnable onFinish) {
    Parent parent = new Parent(children, onFinish);
    parents.add(parent);
    children.forEach(child -> byChild.put(child, parent));
    // Some may have finished before the wait started.
    query(List.of(parent.unfinished(1)));
    return () -> forget(parent, children);
  }

  private void forget(Parent parent, List<String> children) {
    parents.remove(parent);
    children.forEach(child -> byChild.remove(child, parent));
  }

  /** Records that a job has finished in this process; most jobs are no children. */
  void childFinished(String key) {
    Parent parent = byChild.remove(key);
    if (parent != null) {
      childFinished(parent, key);
    }
  }

  private void childFinished(Parent parent, String child) {
    byChild.remove(child, parent);
    if (parent.finished(child) && parents.remove(parent)) {
      parent.onFinish.run();
    }
  }

  @Override
  public Duration tick() {
    // Most parents still wait for their first child, so others are queried only when that has
    // finished.
    query(parents.stream().map(parent -> parent.unfinished(1)).toList());
    return PERIOD;
  }

  private void query(List<ChildQuery> first) {
    try {
      List<ChildQuery> asked = first;
      for (int most = 2; !asked.isEmpty(); most = Math.min(2 * most, BATCH)) {
        asked = query(asked, most);
      }
    } catch (RedisUnavailableException | RedisReplyException e) {
      if (warningThrottle.permits()) {
        LOG.warn(
            "The children of waiting jobs could not be queried, will retry: {}", e.getMessage());
      }
    }
  }

  /**
   * Queries children; returns the queries for further children of parents whose queried ones have
   * all finished.
   */
  private List<ChildQuery> query(List<ChildQuery> asked, int most) {
    Set<String> finished =
        finishedOf(asked.stream().flatMap(one -> one.children.stream()).toList());
    for (ChildQuery one : asked) {
      one.children.stream()
          .filter(finished::contains)
          .forEach(child -> childFinished(one.parent, child));
    }
    return asked.stream()
        .filter(one -> parents.contains(one.parent) && finished.containsAll(one.children))
        .map(one -> one.parent.unfinished(most))
        .toList();
  }

  private Set<String> finishedOf(List<String> children) {
    Set<String> finished = new HashSet<>();
    for (int from = 0; from < children.size(); from += BATCH) {
      List<String> some = children.subList(from, Math.min(children.size(), from + BATCH));
      List<?> answers = (List<?>) RedisReplies.need(redis.run(LuaScript.CHILDREN, some, List.of()));
      for (int i = 0; i < some.size(); i++) {
        if (RedisReplies.number(answers.get(i)) == 1) {
          finished.add(some.get(i));
        }
      }
    }
    return finished;
  }
}
