package io.millrace.dispatch;

import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many handlers run at a time and how many claimed instances wait for one. Instances are
 * claimed ahead only as far as handlers are quick, so that slow work is left to other nodes.
 */
final class WorkQueue {

  private final EngineSettings.Dispatching limits;
  private final HeldSet held;
  private final Prefetch prefetch;
  private final Consumer<Held> start;
  private final Deque<Held> waiting = new ArrayDeque<>();
  private int running;
  private boolean closed;

  WorkQueue(
      EngineSettings.Dispatching limits, HeldSet held, EngineClock clock, Consumer<Held> start) {
    this.limits = limits;
    this.held = held;
    this.prefetch = new Prefetch(clock, limits.queueSize());
    this.start = start;
  }

  /** How many more instances may be claimed now. */
  synchronized int room() {
    if (closed) {
      return 0;
    }
    int free = limits.concurrency() - running + prefetch.allowed() - waiting.size();
    return Math.max(0, Math.min(free, bound()));
  }

  /** Results that cannot be saved count too, so that memory stays bounded. */
  private int bound() {
    return 2 * (limits.concurrency() + limits.queueSize()) - held.size();
  }

  /** How many more instances would begin at once. */
  synchronized int freeHandlers() {
    int free = limits.concurrency() - running - waiting.size();
    return closed ? 0 : Math.max(0, Math.min(free, bound()));
  }

  /** True when it is time to fetch more, in batches rather than one by one. */
  synchronized boolean runsLow() {
    return waiting.size() <= prefetch.allowed() / 2 && room() > 0;
  }

  /** False when closed; then nothing was taken. */
  boolean addAll(Collection<Held> claimed) {
    synchronized (this) {
      if (closed) {
        return false;
      }
      waiting.addAll(claimed);
    }
    pump();
    return true;
  }

  /** Continues a chain, ahead of those that have not begun; false when closed. */
  boolean resume(Held chained) {
    synchronized (this) {
      if (closed) {
        return false;
      }
      waiting.addFirst(chained);
    }
    pump();
    return true;
  }

  void handlerEnded() {
    synchronized (this) {
      running--;
      prefetch.finished();
    }
    pump();
  }

  synchronized int running() {
    return running;
  }

  /** Claimed and not begun. */
  synchronized int waiting() {
    return waiting.size();
  }

  /** Begins nothing more; answers with what had not begun. */
  synchronized List<Held> close() {
    closed = true;
    List<Held> unbegun = new ArrayList<>(waiting);
    waiting.clear();
    return unbegun;
  }

  private void pump() {
    for (Held next = takeOne(); next != null; next = takeOne()) {
      start.accept(next);
    }
  }

  private synchronized @Nullable Held takeOne() {
    if (closed || running >= limits.concurrency() || waiting.isEmpty()) {
      return null;
    }
    running++;
    return waiting.removeFirst();
  }
}
