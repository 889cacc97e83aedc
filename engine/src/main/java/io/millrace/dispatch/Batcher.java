package io.millrace.dispatch;

import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A group commit: takes all waiting items, writes them in one transaction, and only then takes the
 * next ones. A single item is written at once. Only right after a group, the next item waits a
 * moment for as many as last time; otherwise the first caller to return would be written alone and
 * delay the others.
 *
 * <p>A retrying batcher repeats a write while the database is not available; a fail-fast one passes
 * the error to the callers. A batcher with a {@link KeyExtractor} can set items aside.
 *
 * <table>
 *   <caption>The effect of a write that failed</caption>
 *   <tr><th>the write was</th><th>of a batcher</th><th>several items</th><th>one item</th></tr>
 *   <tr><td>rejected</td><td>any</td><td>each is written alone</td><td>fails</td></tr>
 *   <tr><td>blocked</td><td>with keys</td>
 *       <td>those with keys go to the {@link BlockedItemQueue}, the others are written at once; if
 *       none has keys, all go there</td><td>goes there</td></tr>
 *   <tr><td>blocked</td><td>retrying, without keys</td>
 *       <td>each is written alone</td><td>goes to the end of the queue</td></tr>
 *   <tr><td>blocked</td><td>fail-fast, without keys</td>
 *       <td>each is written alone</td><td>fails</td></tr>
 *   <tr><td>not answered</td><td>retrying</td>
 *       <td>repeated together after a pause</td><td>repeated after a pause</td></tr>
 *   <tr><td>not answered</td><td>fail-fast</td><td>all fail</td><td>fails</td></tr>
 * </table>
 */
final class Batcher<I, O> {

  /**
   * The callback of a caller. It runs on the batcher's thread: it must be quick and must not throw.
   */
  interface Callback<O> {
    void done(O result);

    /**
     * Called if the item is given up: the database rejected it, the batcher was stopped before it
     * was written, or a fail-fast batcher got no answer or found it blocked.
     */
    void failed(StoreException fault);
  }

  /** A listener for tries that will be retried. */
  @FunctionalInterface
  interface RetryListener {
    void onDelay(int items, int tries, StoreException fault);
  }

  /**
   * An extractor of the keys of an item that a transaction outside the engine may hold; empty for
   * most items.
   */
  @FunctionalInterface
  interface KeyExtractor<I> {
    Collection<?> of(I input);
  }

  /** An input and the callback of its caller. */
  record Item<I, O>(I input, Callback<O> callback) {}

  private static final Logger LOG = LoggerFactory.getLogger(Batcher.class);
  private static final int MAX_BATCH = 1000;

  /** Upper limit of the gathering time, which is a quarter of the duration of the last write. */
  private static final long MAX_GATHERING_NANOS = Duration.ofMillis(1).toNanos();

  private final EngineRuntime runtime;
  private final String name;
  private final Function<List<I>, List<O>> writer;

  /**
   * The writer for the parts of a blocked group, most of which only show which items are blocked.
   * It is {@link #writer} itself where that never waits long for other transactions.
   */
  private final Function<List<I>, List<O>> prober;

  private final EngineClock clock;
  private final Backoff backoff;
  private final boolean retrying;
  private final RetryListener retryListener;

  /** Null for items that no transaction outside the engine can block. */
  private final @Nullable KeyExtractor<I> keyExtractor;

  private final Queue<Item<I, O>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pending = new AtomicInteger();
  private final Loop loop;
  private volatile @Nullable BlockedItemQueue<I, O> blocked;
  private volatile boolean stopped;
  private List<Item<I, O>> current = new ArrayList<>();
  private int lastGroup;
  private long gatheringEndsNanos;

  private Batcher(
      EngineRuntime runtime,
      String name,
      Function<List<I>, List<O>> writer,
      Function<List<I>, List<O>> prober,
      boolean retrying,
      @Nullable KeyExtractor<I> keyExtractor,
      RetryListener retryListener) {
    this.runtime = runtime;
    this.name = name;
    this.writer = writer;
    this.prober = prober;
    this.clock = runtime.clock();
    this.backoff = new Backoff(runtime.random());
    this.retrying = retrying;
    this.keyExtractor = keyExtractor;
    this.retryListener = retryListener;
    this.loop = runtime.runner().loop(name, this::tick);
  }

  /** Creates a batcher that retries without end while the database is not available. */
  static <I, O> Batcher<I, O> retrying(
      EngineRuntime runtime,
      String name,
      Function<List<I>, List<O>> writer,
      RetryListener retryListener) {
    return new Batcher<>(runtime, name, writer, writer, true, null, retryListener);
  }

  /** Creates a {@link #retrying} batcher in which blocked items do not delay the others. */
  static <I, O> Batcher<I, O> retrying(
      EngineRuntime runtime,
      String name,
      Function<List<I>, List<O>> writer,
      KeyExtractor<I> keyExtractor,
      RetryListener retryListener) {
    return new Batcher<>(runtime, name, writer, writer, true, keyExtractor, retryListener);
  }

  /** Creates a batcher that passes every error to the caller. */
  static <I, O> Batcher<I, O> failFast(
      EngineRuntime runtime, String name, Function<List<I>, List<O>> writer) {
    return new Batcher<>(runtime, name, writer, writer, false, null, (items, tries, fault) -> {});
  }

  /**
   * Creates a {@link #failFast} batcher in which blocked items do not delay the others.
   *
   * @param prober writes like {@code writer}, but does not wait for other transactions
   */
  static <I, O> Batcher<I, O> failFast(
      EngineRuntime runtime,
      String name,
      Function<List<I>, List<O>> writer,
      Function<List<I>, List<O>> prober,
      KeyExtractor<I> keyExtractor) {
    return new Batcher<>(
        runtime, name, writer, prober, false, keyExtractor, (items, tries, fault) -> {});
  }

  /** Queues an item. A stopped batcher fails it. */
  void submit(I input, Callback<O> callback) {
    pending.incrementAndGet();
    queue.add(new Item<>(input, callback));
    loop.wake();
    if (stopped) {
      failAll();
    }
  }

  /** Returns the number of items without a reply. */
  int pending() {
    return pending.get();
  }

  /** Stops after the current round. Items that are not written by then fail. */
  void stop(Duration patience) {
    boolean ended = loop.stop(patience);
    BlockedItemQueue<I, O> aside;
    synchronized (this) {
      stopped = true;
      aside = blocked;
    }
    if (ended) {
      current.forEach(item -> fail(item, stopFault()));
      current = new ArrayList<>();
    }
    failAll();
    if (aside != null) {
      aside.stop(patience);
    }
  }

  private void failAll() {
    for (Item<I, O> item = queue.poll(); item != null; item = queue.poll()) {
      fail(item, stopFault());
    }
  }

  static StoreException stopFault() {
    return new StoreException(
        "The engine has stopped; nothing is written any more. Use a running engine.", false, null);
  }

  private Duration tick() {
    if (current.isEmpty()) {
      long gathering = gatheringNanos();
      if (gathering > 0) {
        return Duration.ofNanos(gathering);
      }
      take();
    }
    if (current.isEmpty()) {
      return Loop.UNTIL_WOKEN;
    }
    try {
      long begin = clock.nanoTime();
      List<O> results = write(current);
      List<Item<I, O>> written = current;
      current = new ArrayList<>();
      backoff.reset();
      deliver(written, results);
      rememberGroup(written.size(), clock.nanoTime() - begin);
      return Duration.ZERO;
    } catch (RuntimeException e) {
      StoreException fault = asFault(e);
      boolean others = current.size() > 1;
      if (fault.blocked() && keyExtractor != null) {
        return setAside();
      }
      if (fault.rejected() || (fault.blocked() && others)) {
        return writeEachAlone(fault);
      }
      return fault.blocked() && retrying ? standBack(fault) : delay(current, fault);
    } catch (Error e) {
      if (!retrying) {
        delay(current, new StoreException("Writing failed: " + e, false, e));
      }
      throw e;
    }
  }

  private void rememberGroup(int size, long took) {
    lastGroup = size;
    gatheringEndsNanos = clock.nanoTime() + Math.min(took / 4, MAX_GATHERING_NANOS);
  }

  /** Returns the time to wait for more items; 0 if none wait, or as many as last time. */
  private long gatheringNanos() {
    int waiting = pending.get();
    return waiting == 0 || waiting >= lastGroup ? 0 : gatheringEndsNanos - clock.nanoTime();
  }

  /**
   * Moves the items that may be blocked to the queue of blocked items, and keeps the others for the
   * next round.
   */
  private Duration setAside() {
    List<Item<I, O>> suspects = current.stream().filter(item -> !keys(item).isEmpty()).toList();
    boolean all = suspects.isEmpty() || suspects.size() == current.size();
    setAside(all ? current : suspects);
    current =
        new ArrayList<>(
            all ? List.of() : current.stream().filter(item -> keys(item).isEmpty()).toList());
    return Duration.ZERO;
  }

  private void setAside(List<Item<I, O>> items) {
    synchronized (this) {
      if (!stopped) {
        BlockedItemQueue<I, O> present = blocked;
        if (present == null) {
          present = new BlockedItemQueue<>(this, runtime, name + "-blocked", retrying);
          blocked = present;
        }
        present.add(items);
        return;
      }
    }
    items.forEach(item -> fail(item, stopFault()));
  }

  /** Returns the keys of an item that others may hold. */
  Collection<?> keys(Item<I, O> item) {
    return keyExtractor == null ? List.of() : keyExtractor.of(item.input);
  }

  List<O> write(List<Item<I, O>> items) {
    return writer.apply(inputs(items));
  }

  /** Writes items of a blocked group with as little waiting as the batcher can do. */
  List<O> probe(List<Item<I, O>> items) {
    return prober.apply(inputs(items));
  }

  private static <I, O> List<I> inputs(List<Item<I, O>> items) {
    return items.stream().map(Item::input).toList();
  }

  /** Moves blocked items to the end of the queue, so that the next ones pass them. */
  private Duration standBack(StoreException fault) {
    queue.addAll(current);
    int items = current.size();
    current = new ArrayList<>();
    Duration pause = backoff.next();
    retryListener.onDelay(items, backoff.tries(), fault);
    return pause;
  }

  /**
   * Returns the error of a write. An unexpected exception would come again and again, so it counts
   * as a rejection: the other items go on.
   */
  static StoreException asFault(RuntimeException e) {
    return e instanceof StoreException fault
        ? fault
        : new StoreException("Writing failed: " + e, true, e);
  }

  private void take() {
    for (Item<I, O> item = queue.poll(); item != null; item = queue.poll()) {
      BlockedItemQueue<I, O> present = blocked;
      if (present != null && present.hasAny(keys(item))) {
        present.add(List.of(item));
        continue;
      }
      current.add(item);
      if (current.size() == MAX_BATCH) {
        return;
      }
    }
  }

  private Duration writeEachAlone(StoreException rejection) {
    List<Item<I, O>> items = current;
    current = new ArrayList<>();
    if (items.size() == 1) {
      fail(items.getFirst(), rejection);
      return Duration.ZERO;
    }
    List<Item<I, O>> unwritten = new ArrayList<>();
    StoreException absence = null;
    for (Item<I, O> item : items) {
      try {
        deliver(List.of(item), write(List.of(item)));
      } catch (RuntimeException e) {
        StoreException fault = asFault(e);
        if (fault.rejected()) {
          fail(item, fault);
        } else if (fault.blocked() && keyExtractor != null) {
          setAside(List.of(item));
        } else if (fault.blocked() && retrying) {
          queue.add(item);
        } else {
          unwritten.add(item);
          absence = fault;
        }
      } catch (Throwable e) {
        unwritten.add(item);
        absence = new StoreException("Writing failed: " + e, false, e);
      }
    }
    return absence == null ? Duration.ZERO : delay(unwritten, absence);
  }

  private Duration delay(List<Item<I, O>> items, StoreException fault) {
    if (!retrying) {
      items.forEach(item -> fail(item, fault));
      current = new ArrayList<>();
      return Duration.ZERO;
    }
    current = items;
    Duration pause = backoff.next();
    retryListener.onDelay(items.size(), backoff.tries(), fault);
    return pause;
  }

  private void deliver(List<Item<I, O>> items, List<O> results) {
    for (int i = 0; i < items.size(); i++) {
      done(items.get(i), results.get(i));
    }
  }

  void done(Item<I, O> item, O result) {
    reply(item, callback -> callback.done(result));
  }

  void delayed(int items, int tries, StoreException fault) {
    retryListener.onDelay(items, tries, fault);
  }

  void fail(Item<I, O> item, StoreException fault) {
    reply(item, callback -> callback.failed(fault));
  }

  /** Calls a callback. If it throws, the other callers still get their results. */
  private void reply(Item<I, O> item, Consumer<Callback<O>> call) {
    try {
      call.accept(item.callback);
    } catch (Throwable e) {
      LOG.error("The callback of a written item failed", e);
    } finally {
      pending.decrementAndGet();
    }
  }
}
