package io.millrace.dispatch;

import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The items of a {@link Batcher} that another transaction blocks. They are written on a thread of
 * their own, by one transaction at a time, so that the batcher continues with the others and at
 * most one more connection is in use. A blocked group is divided until the blocked items are alone,
 * by tries that wait only for moments for other transactions, so that hundreds take less than a
 * second. Those items are retried with a growing pause; those of a fail-fast batcher fail after a
 * second.
 */
final class BlockedItemQueue<I, O> {

  /** Time after which the caller of a fail-fast batcher gets the error that its item is blocked. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /**
   * Limit of the items of a fail-fast batcher that are retried; further ones fail at once. Each try
   * takes a while, so the last of many would fail too late.
   */
  private static final int MAX_FAIL_FAST = 500;

  /**
   * Time for which the key of a failed item is remembered: its caller may soon retry, and would
   * delay the others again.
   */
  private static final Duration REMEMBERED = Duration.ofSeconds(30);

  private static final int MAX_REMEMBERED = 10_000;

  /**
   * Number of parts of a divided group. More parts find one blocked item in fewer tries, fewer
   * parts find many.
   */
  private static final int PARTS = 8;

  /**
   * The items that are written together.
   *
   * @param sinceNanos the time of the first blocked try
   * @param backoff the pause after each try; null until the group is retried undivided
   */
  private record Group<I, O>(
      List<Batcher.Item<I, O>> items,
      long sinceNanos,
      long dueNanos,
      long number,
      @Nullable Backoff backoff) {

    /** Returns true if a try of the item alone has failed. */
    boolean wasTriedAlone() {
      return backoff != null;
    }
  }

  private final Batcher<I, O> batcher;
  private final EngineRuntime runtime;
  private final EngineClock clock;
  private final boolean retrying;
  private final PriorityQueue<Group<I, O>> groups;

  /** Keys of the items in this queue, with the number of items that have each. */
  private final Map<Object, Integer> keys = new HashMap<>();

  /**
   * Keys of items that have failed because they were blocked, with the time until which they are
   * remembered.
   */
  private final Map<Object, Long> recent =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Long> eldest) {
          return size() > MAX_REMEMBERED || eldest.getValue() - clock.nanoTime() < 0;
        }
      };

  private final Loop loop;
  private int retried;
  private long number;
  private boolean stopped;

  BlockedItemQueue(Batcher<I, O> batcher, EngineRuntime runtime, String name, boolean retrying) {
    this.batcher = batcher;
    this.runtime = runtime;
    this.clock = runtime.clock();
    this.retrying = retrying;
    long origin = clock.nanoTime();
    this.groups =
        new PriorityQueue<>(
            Comparator.<Group<I, O>>comparingLong(group -> group.dueNanos - origin)
                .thenComparingLong(Group::number));
    this.loop = runtime.runner().loop(name, this::tick);
  }

  /** Adds items; a stopped queue fails them. */
  void add(List<Batcher.Item<I, O>> items) {
    long now = clock.nanoTime();
    boolean late;
    synchronized (this) {
      late = stopped;
      if (!late) {
        items.forEach(item -> batcher.keys(item).forEach(key -> keys.merge(key, 1, Integer::sum)));
        groups.add(new Group<>(List.copyOf(items), now, now, number++, null));
      }
    }
    if (late) {
      items.forEach(item -> batcher.fail(item, Batcher.stopFault()));
    } else {
      loop.wake();
    }
  }

  /** Returns true if an item with one of the keys is blocked, or was blocked a short time ago. */
  synchronized boolean hasAny(Collection<?> others) {
    return others.stream().anyMatch(key -> keys.containsKey(key) || isRecent(key));
  }

  private boolean isRecent(Object key) {
    Long end = recent.get(key);
    return end != null && end - clock.nanoTime() >= 0;
  }

  /** Stops after the current try. Items that are not written by then fail. */
  void stop(Duration patience) {
    loop.stop(patience);
    List<Group<I, O>> left;
    synchronized (this) {
      stopped = true;
      left = List.copyOf(groups);
      groups.clear();
    }
    left.forEach(group -> fail(group, Batcher.stopFault()));
  }

  private Duration tick() {
    Group<I, O> group;
    synchronized (this) {
      group = groups.peek();
      if (group == null) {
        return Loop.UNTIL_WOKEN;
      }
      long left = group.dueNanos - clock.nanoTime();
      if (left > 0) {
        return Duration.ofNanos(left);
      }
      groups.remove();
      retried -= group.wasTriedAlone() ? 1 : 0;
    }
    write(group);
    return Duration.ZERO;
  }

  private void write(Group<I, O> group) {
    List<O> results;
    try {
      results = group.wasTriedAlone() ? batcher.write(group.items) : batcher.probe(group.items);
    } catch (RuntimeException e) {
      failed(group, Batcher.asFault(e));
      return;
    } catch (Error e) {
      failed(group, new StoreException("Writing failed: " + e, false, e));
      throw e;
    }
    for (int i = 0; i < group.items.size(); i++) {
      batcher.done(group.items.get(i), results.get(i));
    }
    synchronized (this) {
      group.items.forEach(item -> batcher.keys(item).forEach(recent::remove));
    }
    forget(group);
    if (group.wasTriedAlone()) {
      retryAll();
    }
  }

  private void failed(Group<I, O> group, StoreException fault) {
    boolean single = group.items.size() == 1;
    if ((fault.blocked() || fault.rejected()) && !single) {
      divide(group);
    } else if (fault.blocked() && isOverdue(group)) {
      failOverdue(group, fault);
    } else if (fault.rejected() || (!retrying && !isWorthWaiting(fault))) {
      if (fault.blocked()) {
        remember(group);
      }
      fail(group, fault);
    } else {
      retry(group, fault);
    }
  }

  private synchronized boolean isWorthWaiting(StoreException fault) {
    return fault.blocked() && retried < MAX_FAIL_FAST;
  }

  private boolean isOverdue(Group<I, O> group) {
    return !retrying && clock.nanoTime() - group.sinceNanos >= PATIENCE.toNanos();
  }

  /**
   * Fails the single items that have waited long enough, together with the one that is still
   * blocked. Each try takes a while, so their callers would otherwise get the error one after
   * another. Items that were never tried alone may be free, so they do not fail yet.
   */
  private void failOverdue(Group<I, O> group, StoreException fault) {
    List<Group<I, O>> overdue = new ArrayList<>(List.of(group));
    synchronized (this) {
      for (Iterator<Group<I, O>> waiting = groups.iterator(); waiting.hasNext(); ) {
        Group<I, O> one = waiting.next();
        boolean blocked = one.wasTriedAlone() || haveCommonKey(one, group);
        if (one.items.size() == 1 && blocked && isOverdue(one)) {
          waiting.remove();
          retried -= one.wasTriedAlone() ? 1 : 0;
          overdue.add(one);
        }
      }
    }
    for (Group<I, O> one : overdue) {
      remember(one);
      fail(one, fault);
    }
  }

  private boolean haveCommonKey(Group<I, O> one, Group<I, O> other) {
    return !Collections.disjoint(
        batcher.keys(one.items.getFirst()), batcher.keys(other.items.getFirst()));
  }

  private void retry(Group<I, O> group, StoreException fault) {
    Backoff backoff = group.backoff == null ? new Backoff(runtime.random()) : group.backoff;
    long due = clock.nanoTime() + backoff.next().toNanos();
    put(new Group<>(group.items, group.sinceNanos, due, 0, backoff));
    batcher.delayed(group.items.size(), backoff.tries(), fault);
  }

  private void divide(Group<I, O> group) {
    int size = Math.ceilDiv(group.items.size(), PARTS);
    for (int from = 0; from < group.items.size(); from += size) {
      List<Batcher.Item<I, O>> part =
          group.items.subList(from, Math.min(from + size, group.items.size()));
      put(new Group<>(part, group.sinceNanos, group.dueNanos, 0, null));
    }
  }

  private void put(Group<I, O> group) {
    synchronized (this) {
      if (!stopped) {
        retried += group.wasTriedAlone() ? 1 : 0;
        groups.add(
            new Group<>(group.items, group.sinceNanos, group.dueNanos, number++, group.backoff));
        return;
      }
    }
    fail(group, Batcher.stopFault());
  }

  /** Retries all items once one has passed: the same transaction may have blocked them. */
  private synchronized void retryAll() {
    long now = clock.nanoTime();
    List<Group<I, O>> waiting = new ArrayList<>(groups);
    groups.clear();
    for (Group<I, O> group : waiting) {
      long due = group.dueNanos - now > 0 ? now : group.dueNanos;
      groups.add(new Group<>(group.items, group.sinceNanos, due, group.number, group.backoff));
    }
  }

  private synchronized void remember(Group<I, O> group) {
    long end = clock.nanoTime() + REMEMBERED.toNanos();
    for (Batcher.Item<I, O> item : group.items) {
      for (Object key : batcher.keys(item)) {
        recent.remove(key);
        recent.put(key, end);
      }
    }
  }

  private void fail(Group<I, O> group, StoreException fault) {
    group.items.forEach(item -> batcher.fail(item, fault));
    forget(group);
  }

  private synchronized void forget(Group<I, O> group) {
    for (Batcher.Item<I, O> item : group.items) {
      for (Object key : batcher.keys(item)) {
        keys.computeIfPresent(key, (same, count) -> count == 1 ? null : count - 1);
      }
    }
  }
}
