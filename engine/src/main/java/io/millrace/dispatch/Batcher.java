package io.millrace.dispatch;

import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Group commit: takes whatever is ready, writes it in one go, and only then takes the next. An item
 * that comes alone is written at once; only right after a group the next one waits a moment for
 * those who had come together, or the first of them to come back would be written alone and keep
 * the others waiting. What the database refuses is found by writing each item alone, so that
 * neighbours do not suffer.
 */
final class Batcher<I, O> {

  /** Who asked. Called on the batcher's thread: must be quick and must not throw. */
  interface Reply<O> {
    void done(O result);

    /** The database refused the item, or could not be reached by an impatient batcher. */
    void failed(StoreException fault);
  }

  /** Is told about tries that will be repeated. */
  @FunctionalInterface
  interface Delays {
    void onDelay(int items, int tries, StoreException fault);
  }

  private record Item<I, O>(I input, Reply<O> reply) {}

  private static final Logger LOG = LoggerFactory.getLogger(Batcher.class);
  private static final int MAX_BATCH = 1000;

  /** The moment is a quarter of what the last write took, but no longer than this. */
  private static final long MOST_GATHERING_NANOS = Duration.ofMillis(1).toNanos();

  private final Function<List<I>, List<O>> writer;
  private final EngineClock clock;
  private final Backoff backoff;
  private final boolean patient;
  private final Delays delays;
  private final Queue<Item<I, O>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pending = new AtomicInteger();
  private final Loop loop;
  private volatile boolean stopped;
  private List<Item<I, O>> current = new ArrayList<>();
  private int lastGroup;
  private long gatheringEndsNanos;

  private Batcher(
      EngineRuntime runtime,
      String name,
      Function<List<I>, List<O>> writer,
      boolean patient,
      Delays delays) {
    this.writer = writer;
    this.clock = runtime.clock();
    this.backoff = new Backoff(runtime.random());
    this.patient = patient;
    this.delays = delays;
    this.loop = runtime.runner().loop(name, this::tick);
  }

  /** Repeats for ever what the database did not take because it was away. */
  static <I, O> Batcher<I, O> patient(
      EngineRuntime runtime, String name, Function<List<I>, List<O>> writer, Delays delays) {
    return new Batcher<>(runtime, name, writer, true, delays);
  }

  /** Hands every fault to who asked. */
  static <I, O> Batcher<I, O> impatient(
      EngineRuntime runtime, String name, Function<List<I>, List<O>> writer) {
    return new Batcher<>(runtime, name, writer, false, (items, tries, fault) -> {});
  }

  /** A stopped batcher fails what it is given. */
  void submit(I input, Reply<O> reply) {
    pending.incrementAndGet();
    queue.add(new Item<>(input, reply));
    loop.wake();
    if (stopped) {
      failAll();
    }
  }

  /** Items that have no reply yet. */
  int pending() {
    return pending.get();
  }

  /** Ends after the current round; what is not written by then fails. */
  void stop(Duration patience) {
    boolean ended = loop.stop(patience);
    stopped = true;
    if (ended) {
      current.forEach(item -> fail(item, stopFault()));
      current = new ArrayList<>();
    }
    failAll();
  }

  private void failAll() {
    for (Item<I, O> item = queue.poll(); item != null; item = queue.poll()) {
      fail(item, stopFault());
    }
  }

  private static StoreException stopFault() {
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
      List<O> results = writer.apply(inputs(current));
      List<Item<I, O>> written = current;
      current = new ArrayList<>();
      backoff.reset();
      deliver(written, results);
      rememberGroup(written.size(), clock.nanoTime() - begin);
      return Duration.ZERO;
    } catch (RuntimeException e) {
      StoreException fault = asFault(e);
      boolean others = current.size() > 1;
      if (fault.refused() || (fault.blocked() && others)) {
        return writeEachAlone(fault);
      }
      return fault.blocked() && patient ? standBack(fault) : delay(current, fault);
    }
  }

  private void rememberGroup(int size, long took) {
    lastGroup = size;
    gatheringEndsNanos = clock.nanoTime() + Math.min(took / 4, MOST_GATHERING_NANOS);
  }

  /** How much longer to wait for company; 0 when nobody waits, or as many as the last time. */
  private long gatheringNanos() {
    int waiting = pending.get();
    return waiting == 0 || waiting >= lastGroup ? 0 : gatheringEndsNanos - clock.nanoTime();
  }

  /** An item that another transaction blocks waits at the back, so that the next ones pass it. */
  private Duration standBack(StoreException fault) {
    queue.addAll(current);
    int items = current.size();
    current = new ArrayList<>();
    Duration rest = backoff.next();
    delays.onDelay(items, backoff.tries(), fault);
    return rest;
  }

  /**
   * An unexpected exception would come again and again, so it counts as a refusal: the others go
   * on.
   */
  private static StoreException asFault(RuntimeException e) {
    return e instanceof StoreException fault
        ? fault
        : new StoreException("Writing failed: " + e, true, e);
  }

  private void take() {
    for (Item<I, O> item = queue.poll(); item != null; item = queue.poll()) {
      current.add(item);
      if (current.size() == MAX_BATCH) {
        return;
      }
    }
  }

  private Duration writeEachAlone(StoreException refusal) {
    List<Item<I, O>> items = current;
    current = new ArrayList<>();
    if (items.size() == 1) {
      fail(items.getFirst(), refusal);
      return Duration.ZERO;
    }
    List<Item<I, O>> unwritten = new ArrayList<>();
    StoreException absence = null;
    for (Item<I, O> item : items) {
      try {
        deliver(List.of(item), writer.apply(List.of(item.input)));
      } catch (RuntimeException e) {
        StoreException fault = asFault(e);
        if (fault.refused()) {
          fail(item, fault);
        } else if (fault.blocked() && patient) {
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
    if (!patient) {
      items.forEach(item -> fail(item, fault));
      current = new ArrayList<>();
      return Duration.ZERO;
    }
    current = items;
    Duration rest = backoff.next();
    delays.onDelay(items.size(), backoff.tries(), fault);
    return rest;
  }

  private void deliver(List<Item<I, O>> items, List<O> results) {
    for (int i = 0; i < items.size(); i++) {
      O result = results.get(i);
      reply(items.get(i), reply -> reply.done(result));
    }
  }

  private void fail(Item<I, O> item, StoreException fault) {
    reply(item, reply -> reply.failed(fault));
  }

  /** One asker's fault must not keep the answers from the others. */
  private void reply(Item<I, O> item, Consumer<Reply<O>> call) {
    try {
      call.accept(item.reply);
    } catch (Throwable e) {
      LOG.error("An answer could not be taken in", e);
    } finally {
      pending.decrementAndGet();
    }
  }

  private static <I, O> List<I> inputs(List<Item<I, O>> items) {
    return items.stream().map(Item::input).toList();
  }
}
