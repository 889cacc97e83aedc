package io.millrace.server.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.instance.LogLine;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import io.millrace.store.LogStore;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue that stores log lines asynchronously. A thread that logs never waits: lines that do not
 * fit are dropped and counted. Thread-safe.
 */
final class LogQueue {

  private static final Logger LOG = LoggerFactory.getLogger(LogQueue.class);
  private static final int BATCH = 500;

  /** Pause after a batch, so that the next one is large enough for a statement. */
  private static final Duration GATHERING = Duration.ofMillis(100);

  private static final Duration AFTER_FAULT = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final LogStore store;
  private final BlockingQueue<LogLine> queue;
  private final Counter stored;
  private final Counter dropped;
  private final AtomicBoolean resting = new AtomicBoolean();
  private final Loop loop;
  private List<LogLine> current = new ArrayList<>();
  private boolean failing;

  LogQueue(LogStore store, int capacity, EngineRuntime runtime, MeterRegistry registry) {
    this.store = store;
    this.queue = new ArrayBlockingQueue<>(capacity);
    this.stored = counter(registry, "stored");
    this.dropped = counter(registry, "dropped");
    this.loop = runtime.runner().loop("millrace-logs", this::tick);
  }

  private static Counter counter(MeterRegistry registry, String outcome) {
    return Counter.builder("millrace.log.lines")
        .description("Lines logged by handlers")
        .tag("outcome", outcome)
        .register(registry);
  }

  /** Adds a line; returns false if the queue is full. */
  boolean offer(LogLine line) {
    boolean taken = queue.offer(line);
    if (!taken) {
      dropped.increment();
    } else if (resting.compareAndSet(true, false)) {
      loop.wake();
    }
    return taken;
  }

  /** Counts a line that exceeds the limits of its attempt. */
  void overLimit() {
    dropped.increment();
  }

  private Duration tick() {
    if (write()) {
      return current.isEmpty() ? GATHERING : AFTER_FAULT;
    }
    resting.set(true);
    boolean missed = !queue.isEmpty() && resting.compareAndSet(true, false);
    return missed ? Duration.ZERO : Loop.UNTIL_WOKEN;
  }

  /**
   * Writes one batch; returns false if there was none. A batch is kept while the database is
   * unavailable.
   */
  private synchronized boolean write() {
    if (current.isEmpty()) {
      queue.drainTo(current, BATCH);
    }
    if (current.isEmpty()) {
      return false;
    }
    try {
      store.append(current);
      stored.increment(current.size());
      current = new ArrayList<>();
      failing = false;
    } catch (StoreException e) {
      failed(e, e.rejected());
    } catch (RuntimeException e) {
      failed(e, true);
    }
    return true;
  }

  private void failed(RuntimeException fault, boolean forGood) {
    if (!failing || forGood) {
      LOG.warn("Log lines of handlers could not be stored: {}", fault.getMessage());
    }
    failing = true;
    if (forGood) {
      drop();
    }
  }

  private void drop() {
    dropped.increment(current.size());
    current = new ArrayList<>();
  }

  /** Writes all lines; drops those that the database does not accept. */
  synchronized void flush() {
    while (write()) {
      if (!current.isEmpty()) {
        drop();
        dropped.increment(queue.size());
        queue.clear();
      }
    }
  }

  void close() {
    loop.stop(PATIENCE);
    flush();
  }
}
