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
 * Monitor of the children for which parents of this process wait. It notices at once when a child
 * is done in this process, and polls the server each second for children of workers in Node.js and
 * in other processes. No wait needs a thread. Thread-safe.
 */
final class ChildMonitor implements Loop.Work {

  private static final Logger LOG = LoggerFactory.getLogger(ChildMonitor.class);
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final int BATCH = 500;

  private final Set<ChildWait> waits = ConcurrentHashMap.newKeySet();

  private final Map<String, ChildWait> byChild = new ConcurrentHashMap<>();
  private final Redis redis;
  private final IntervalThrottle warningThrottle;

  ChildMonitor(WorkerContext context) {
    this.redis = context.redis();
    this.warningThrottle =
        new IntervalThrottle(context.runtime().clock(), QueueRuntime.BETWEEN_WARNINGS);
  }

  /** The wait of one parent for its children. */
  private static final class ChildWait {
    private final Set<String> left;
    private final Runnable onDone;

    ChildWait(List<String> children, Runnable onDone) {
      this.left = new LinkedHashSet<>(children);
      this.onDone = onDone;
    }

    synchronized ChildQuery undone(int most) {
      return new ChildQuery(this, left.stream().limit(most).toList());
    }

    /** Records that a child is done; returns true if it was the last. */
    synchronized boolean done(String child) {
      return left.remove(child) && left.isEmpty();
    }
  }

  private record ChildQuery(ChildWait childWait, List<String> children) {}

  /**
   * Registers an action to call when all children are done.
   *
   * @param children the keys of their hashes; at least one
   * @param onDone called once, by any thread, which it must not block
   * @return an action that cancels the registration; {@code onDone} is then not called
   */
  Runnable onChildrenDone(List<String> children, Runnable onDone) {
    ChildWait childWait = new ChildWait(children, onDone);
    waits.add(childWait);
    children.forEach(child -> byChild.put(child, childWait));
    // Some may have been done before the wait started.
    query(List.of(childWait.undone(1)));
    return () -> forget(childWait, children);
  }

  private void forget(ChildWait childWait, List<String> children) {
    waits.remove(childWait);
    children.forEach(child -> byChild.remove(child, childWait));
  }

  /** Records that a job has finished in this process; most jobs are no children. */
  void jobFinished(String key) {
    ChildWait childWait = byChild.remove(key);
    if (childWait != null) {
      childDone(childWait, key);
    }
  }

  private void childDone(ChildWait childWait, String child) {
    byChild.remove(child, childWait);
    if (childWait.done(child) && waits.remove(childWait)) {
      childWait.onDone.run();
    }
  }

  @Override
  public Duration tick() {
    // Most parents still wait for their first child, so others are queried only when that is done.
    query(waits.stream().map(childWait -> childWait.undone(1)).toList());
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
            "The children of waiting parents could not be queried, will retry: {}", e.getMessage());
      }
    }
  }

  /**
   * Queries children; returns the queries for further children of parents whose queried ones are
   * all done.
   */
  private List<ChildQuery> query(List<ChildQuery> asked, int most) {
    Set<String> done = doneOf(asked.stream().flatMap(one -> one.children.stream()).toList());
    for (ChildQuery one : asked) {
      one.children.stream()
          .filter(done::contains)
          .forEach(child -> childDone(one.childWait, child));
    }
    return asked.stream()
        .filter(one -> waits.contains(one.childWait) && done.containsAll(one.children))
        .map(one -> one.childWait.undone(most))
        .toList();
  }

  private Set<String> doneOf(List<String> children) {
    Set<String> done = new HashSet<>();
    for (int from = 0; from < children.size(); from += BATCH) {
      List<String> some = children.subList(from, Math.min(children.size(), from + BATCH));
      List<?> answers = (List<?>) RedisReplies.need(redis.run(LuaScript.CHILDREN, some, List.of()));
      for (int i = 0; i < some.size(); i++) {
        if (RedisReplies.number(answers.get(i)) == 1) {
          done.add(some.get(i));
        }
      }
    }
    return done;
  }
}
